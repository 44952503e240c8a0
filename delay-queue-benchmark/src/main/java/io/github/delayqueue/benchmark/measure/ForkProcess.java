package io.github.delayqueue.benchmark.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.SystemType.Trait;
import io.github.delayqueue.benchmark.catalog.Systems;
import io.github.delayqueue.benchmark.peers.BullMq;
import io.github.delayqueue.testsupport.ChildJvm;
import io.github.delayqueue.testsupport.RedisServer;

/**
 * A process just started that measures one system, with a Redis of its own, and writes a
 * line of JSON for its settings and one for each measure. It is a JVM; for a system of
 * another language it is whatever writes such lines.
 */
public final class ForkProcess {

	private static final Logger logger = LoggerFactory.getLogger(ForkProcess.class);

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private static final Pattern SETTINGS = Pattern.compile("^\\{\"settings\":(\\{.*})}$", Pattern.MULTILINE);

	/** More than any measure takes. */
	private static final Duration PATIENCE = Duration.ofMinutes(6);

	private ForkProcess() {
	}

	/**
	 * Start a process for a system, and wait for what it measures.
	 * @param type the system
	 * @param postgresUrl where PostgreSQL is, {@code null} if there is none
	 * @param quick whether a smoke test is enough
	 * @param measures what it is to measure, in this order
	 * @param results is told each result as it comes
	 * @return the settings of the system
	 */
	public static Map<String, String> measure(SystemType type, @Nullable String postgresUrl, boolean quick,
			List<Measure> measures, Consumer<Result> results) {
		List<String> left = new ArrayList<>(measures.stream().map(Measure::key).toList());
		try (RedisServer redis = RedisServer.startNew()) {
			List<String> arguments = new ArrayList<>(List.of(type.key(), redis.host(), String.valueOf(redis.port()),
					Objects.requireNonNullElse(postgresUrl, "-"), String.valueOf(quick)));
			arguments.addAll(left);
			try (ChildJvm child = start(type, arguments)) {
				Map<String, String> settings = MAPPER.readValue(child.await(SETTINGS, 1).group(1),
						new TypeReference<>() {
						});
				for (; !left.isEmpty(); left.remove(0)) {
					results.accept(await(child, left.get(0)));
				}
				return settings;
			}
		}
		catch (AssertionError ex) {
			// says what the process has written
			logger.error("{} failed", type.key(), ex);
			left.forEach((measure) -> results.accept(Result.failed(measure, type.key(), ex)));
			return Map.of();
		}
	}

	private static Result await(ChildJvm child, String measure) {
		Pattern line = Pattern.compile("^\\{\"measure\":\"" + measure + "\".*$", Pattern.MULTILINE);
		return MAPPER.readValue(child.await(line, 1).group(), Result.class);
	}

	private static ChildJvm start(SystemType type, List<String> arguments) {
		ChildJvm.Builder process = type.has(Trait.NODE) ? BullMq.process(arguments)
				: ChildJvm.of(ForkProcess.class, arguments.toArray(String[]::new)).options("-Xms1g", "-Xmx1g");
		return process.longLived().patience(PATIENCE).start();
	}

	/**
	 * Measure.
	 * @param args key of the system, host and port of Redis, URL of PostgreSQL or a dash,
	 * whether a smoke test is enough, and keys of measures
	 */
	public static void main(String[] args) {
		Servers servers = new Servers(args[1], Integer.parseInt(args[2]), "-".equals(args[3]) ? null : args[3]);
		SystemType type = Systems.named(args[0]);
		Subject subject = new Subject(type, type.open(servers));
		subject.reset();
		System.out.println(MAPPER.writeValueAsString(Map.of("settings", subject.system().settings())));
		Fork fork = new Fork(subject, servers, Boolean.parseBoolean(args[4]));
		List<String> keys = List.of(args).subList(5, args.length);
		keys.forEach((key) -> System.out.println(MAPPER.writeValueAsString(fork.run(Measures.named(key)))));
		// whatever threads a peer leaves behind
		System.exit(0);
	}

}
