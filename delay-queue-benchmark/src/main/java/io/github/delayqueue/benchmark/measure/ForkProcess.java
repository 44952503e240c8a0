package io.github.delayqueue.benchmark.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

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

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private static final Pattern SETTINGS = Pattern.compile("^\\{\"settings\":(\\{.*})}$", Pattern.MULTILINE);

	/** More than any measure takes. */
	private static final Duration PATIENCE = Duration.ofMinutes(6);

	private ForkProcess() {
	}

	/**
	 * Start a process for a system, and record what it measures.
	 * @param session the run
	 * @param type the system
	 * @param measures what it is to measure, in this order
	 * @return the settings of the system
	 */
	public static Map<String, String> measure(Session session, SystemType type, List<ForkedMeasure> measures) {
		List<ForkedMeasure> left = new ArrayList<>(measures);
		try (RedisServer redis = RedisServer.startNew(); ChildJvm child = start(session, type, redis, measures)) {
			Map<String, String> settings = MAPPER.readValue(child.await(SETTINGS, 1).group(1), new TypeReference<>() {
			});
			while (!left.isEmpty()) {
				session.record(await(child, left.get(0)));
				left.remove(0);
			}
			return settings;
		}
		catch (AssertionError ex) {
			// says what the process has written
			left.forEach((measure) -> session.fail(measure.key(), type.key(), new IllegalStateException(ex)));
			return Map.of();
		}
	}

	private static Result await(ChildJvm child, Measure measure) {
		Pattern line = Pattern.compile("^\\{\"measure\":\"" + measure.key() + "\".*$", Pattern.MULTILINE);
		return MAPPER.readValue(child.await(line, 1).group(), Result.class);
	}

	private static ChildJvm start(Session session, SystemType type, RedisServer redis, List<ForkedMeasure> measures) {
		List<String> arguments = new ArrayList<>(List.of(type.key(), redis.host(), String.valueOf(redis.port()),
				Objects.requireNonNullElse(session.postgresUrl(), "-"), String.valueOf(session.quick())));
		measures.forEach((measure) -> arguments.add(measure.key()));
		ChildJvm.Builder process = type.has(Trait.NODE) ? BullMq.process(arguments)
				: ChildJvm.of(ForkProcess.class, arguments.toArray(String[]::new));
		if (!type.has(Trait.NODE)) {
			process.options("-Xms1g", "-Xmx1g");
		}
		return process.longLived().patience(PATIENCE).start();
	}

	/**
	 * Measure.
	 * @param args key of the system, host and port of Redis, URL of PostgreSQL or a dash,
	 * whether a smoke test is enough, and keys of measures
	 */
	public static void main(String[] args) {
		Servers servers = new Servers(args[1], Integer.parseInt(args[2]), "-".equals(args[3]) ? null : args[3]);
		Subject subject = new Subject(Systems.named(args[0]), servers, Drain.LEAD_MILLIS);
		subject.reset();
		System.out.println(MAPPER.writeValueAsString(Map.of("settings", subject.system().settings())));
		Fork fork = new Fork(subject, servers, Boolean.parseBoolean(args[4]));
		List<String> keys = List.of(args).subList(5, args.length);
		keys.forEach((key) -> System.out.println(MAPPER.writeValueAsString(fork.run(Measures.forked(key)))));
		// whatever threads a peer leaves behind
		System.exit(0);
	}

}
