package io.github.delayqueue.ecosystem.languages;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Producers in all languages leave in Redis exactly what
 * {@code examples/conformance.json} says. Another one is tested as well by
 * {@code -Dconformance.producer=<program>}, which is called as the examples are.
 */
@Heavy
class ConformanceIntegrationTests {

	private static final String JAVA = "JAVA";

	private static final RedisServer redis = RedisServer.startNew();

	private static ConfigurableApplicationContext application;

	/** One of the file. */
	record Case(String name, List<List<String>> before, List<JsonNode> calls, Map<String, Object> leaves) {

		@Override
		public String toString() {
			return this.name;
		}

	}

	@BeforeAll
	static void startJava() {
		application = SpringApplication.run(JavaProducer.class, redis.argument(),
				"--delay-queue.queues.spread.partitions=3");
	}

	@AfterAll
	static void stop() {
		application.close();
		redis.close();
	}

	static Stream<Arguments> producersAndCases() {
		List<Case> cases = Arrays
			.asList(JsonMapper.shared().readValue(Path.of("../../examples/conformance.json").toFile(), Case[].class));
		Stream<String> producers = Stream.concat(Stream.of(JAVA, Language.PYTHON.name(), Language.NODE.name()),
				Optional.ofNullable(System.getProperty("conformance.producer")).stream());
		return producers.flatMap((producer) -> cases.stream().map((one) -> Arguments.of(producer, one)));
	}

	@ParameterizedTest(name = "{0}: {1}")
	@MethodSource("producersAndCases")
	void leavesWhatIsExpected(String producer, Case one) {
		redis.text("FLUSHALL");
		Stream.ofNullable(one.before())
			.flatMap(List::stream)
			.forEach((command) -> redis.text(command.toArray(String[]::new)));
		long from = serverMillis();
		one.calls()
			.forEach((call) -> assertThat(schedule(producer, call)).as("%s", call)
				.endsWith(call.get("prints").asString()));
		long to = serverMillis();
		// Java notes the names of queues apart from their tasks
		await().until(() -> redisTemplate().hasKey("delay:queue:names"));
		assertThat(content(one.leaves(), from, to)).isEqualTo(one.leaves());
	}

	private static long serverMillis() {
		return redisTemplate().execute((RedisCallback<Long>) (connection) -> connection.serverCommands().time());
	}

	private static StringRedisTemplate redisTemplate() {
		return application.getBean(StringRedisTemplate.class);
	}

	private static String schedule(String producer, JsonNode call) {
		String queue = call.get("queue").asString();
		String id = call.get("id").asString();
		long delay = call.get("delayMillis").asLong();
		JsonNode payload = call.get("payload");
		if (producer.equals(JAVA)) {
			ScheduleOutcome outcome = application.getBean(DelayQueueOperations.class)
				.schedule(TaskRequest.queue(queue)
					.id(id)
					.payload(JsonMapper.shared().convertValue(payload, Object.class))
					.delay(Duration.ofMillis(delay))
					.build())
				.outcome();
			return outcome.name().toLowerCase();
		}
		String[] arguments = { redis.url(), queue, id, String.valueOf(delay), payload.toString() };
		Optional<Language> language = Arrays.stream(Language.values())
			.filter((one) -> one.name().equals(producer))
			.findFirst();
		if (language.isEmpty()) {
			return output(producer, arguments);
		}
		assumeTrue(language.get().interpreter().isPresent(),
				() -> "No interpreter for " + producer + " with its client");
		return language.get().schedule(arguments);
	}

	private static String output(String program, String... arguments) {
		String[] command = Stream.concat(Stream.of(program), Arrays.stream(arguments)).toArray(String[]::new);
		try (InputStream output = new ProcessBuilder(command).redirectErrorStream(true).start().getInputStream()) {
			return new String(output.readAllBytes(), StandardCharsets.UTF_8).strip();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * All that is in Redis, with a due time as the delay that is expected if it can be.
	 */
	private static Map<String, Object> content(Map<String, Object> expected, long from, long to) {
		return redisTemplate().keys("delay:queue:*")
			.stream()
			.collect(Collectors.toMap((key) -> key, (key) -> switch (redisTemplate().type(key)) {
				case SET -> List.copyOf(new TreeSet<>(redisTemplate().opsForSet().members(key)));
				case HASH -> redisTemplate().opsForHash().entries(key);
				default -> dueTimes(key, (expected.get(key) instanceof Map<?, ?> map) ? map : Map.of(), from, to);
			}));
	}

	private static Map<String, Object> dueTimes(String key, Map<?, ?> expected, long from, long to) {
		Map<String, Object> times = new HashMap<>();
		redisTemplate().opsForZSet().rangeWithScores(key, 0, -1).forEach((entry) -> {
			String wanted = String.valueOf(expected.get(entry.getValue()));
			long score = entry.getScore().longValue();
			long delay = wanted.startsWith("+") ? Long.parseLong(wanted) : 0;
			// what is scheduled within a millisecond is due with the next
			boolean fits = score >= from + delay && score <= to + delay + 1;
			times.put(entry.getValue(), fits ? wanted : "at " + score + ", asked between " + from + " and " + to);
		});
		return times;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class JavaProducer {

	}

}
