package io.github.delayqueue.benchmark.catalog;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.delayqueue.benchmark.BenchTask;
import io.github.delayqueue.benchmark.Payload;
import io.github.delayqueue.benchmark.Payloads;
import io.github.delayqueue.benchmark.QueueSystem;
import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.SystemType.Trait;
import io.github.delayqueue.benchmark.TaskSink;
import io.github.delayqueue.benchmark.server.PostgresProcess;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each system does what it is compared for.
 */
@Heavy
class SystemsIntegrationTests {

	private static final int TASKS = 30;

	private static final Duration DELAY = Duration.ofMillis(500);

	private static RedisServer redis;

	private static PostgresProcess postgres;

	private final Map<Integer, Integer> handled = new ConcurrentHashMap<>();

	private final ConcurrentLinkedQueue<Payload> early = new ConcurrentLinkedQueue<>();

	private int number;

	@BeforeAll
	static void start() {
		redis = RedisServer.startNew();
		postgres = PostgresProcess.start();
	}

	@AfterAll
	static void stop() {
		redis.close();
		postgres.close();
	}

	static List<SystemType> systems() {
		return Systems.known().stream().filter((type) -> !type.has(Trait.NODE)).toList();
	}

	@ParameterizedTest
	@MethodSource("systems")
	@SuppressWarnings("try") // consumes while it is open
	void tasksOfAllCallsAreHandledOnceAndNotEarly(SystemType type) {
		try (QueueSystem system = open(type)) {
			assertThat(system.settings()).isNotEmpty();
			try (QueueSystem.Consumption consumption = system.consume(sink())) {
				schedule(system);
				Awaitility.await().untilAsserted(() -> assertThat(this.handled).hasSize(this.number));
				assertThat(this.handled.values()).containsOnly(1);
				assertThat(this.early).isEmpty();
				Awaitility.await().untilAsserted(() -> assertThat(system.pending()).isZero());
			}
		}
	}

	@ParameterizedTest
	@MethodSource("systems")
	void tasksWaitAndAreForgottenByAReset(SystemType type) {
		try (QueueSystem system = open(type)) {
			tasks(Duration.ofHours(1)).forEach(system.producer()::schedule);
			assertThat(system.pending()).isEqualTo(TASKS);
			system.reset();
			assertThat(system.pending()).isZero();
		}
	}

	@Test
	void commitsOfThoseThatAreCalledDurableWaitForTheDisk() {
		Systems.all().stream().filter((type) -> type.has(Trait.POSTGRES)).forEach((type) -> {
			try (QueueSystem system = open(type)) {
				assertThat(system.settings()).containsEntry("fsync", "on")
					.containsEntry("synchronous_commit", type.has(Trait.DURABLE) ? "on" : "off");
			}
		});
	}

	private static QueueSystem open(SystemType type) {
		QueueSystem system = type.open(new Servers(redis.host(), redis.port(), postgres.url()));
		system.reset();
		return system;
	}

	private void schedule(QueueSystem system) {
		tasks(DELAY).forEach(system.producer()::schedule);
		system.producer().scheduleAll(tasks(DELAY));
	}

	private List<BenchTask> tasks(Duration delay) {
		long dueAt = System.currentTimeMillis() + delay.toMillis();
		return IntStream.range(0, TASKS)
			.mapToObj((i) -> new BenchTask("task-%013d".formatted(this.number), Payloads.of(this.number++, dueAt)))
			.toList();
	}

	private TaskSink sink() {
		return (payload) -> {
			if (System.currentTimeMillis() < payload.dueAt()) {
				this.early.add(payload);
			}
			this.handled.merge(payload.number(), 1, Integer::sum);
		};
	}

}
