package io.github.delayqueue.journal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.github.delayqueue.event.JournalRestoredEvent;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.Patience;
import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.testsupport.TemporaryDatabase;
import io.github.delayqueue.testsupport.TestDatabase;
import io.github.delayqueue.testsupport.TestEffort;

import static io.github.delayqueue.journal.JournaledApplication.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Redis loses what it has, in different ways, and PostgreSQL has it.
 * {@code -Djournal.tasks=100000} for more tasks that are lost at once.
 */
@Execution(ExecutionMode.CONCURRENT)
class JournalRecoveryIntegrationTests {

	private static final Logger logger = LoggerFactory.getLogger(JournalRecoveryIntegrationTests.class);

	private static final int TASKS = Integer.getInteger("journal.tasks", TestEffort.pick(2_000, 10_000));

	private static final Duration PATIENCE = Patience.LIMIT.plus(Duration.ofMillis(2L * TASKS));

	/** When tasks are due that become due only when we say so; within the horizon. */
	private static final Duration FAR = Duration.ofMinutes(20);

	private final RedisServer redis = RedisServer.startNew();

	private final TemporaryDatabase database = TestDatabase.POSTGRESQL.create();

	@AfterEach
	void close() {
		this.database.close();
		this.redis.close();
	}

	private JournaledApplication application(Map<String, String> properties) {
		return new JournaledApplication(this.redis, this.database, properties);
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void everythingIsHandledWhenRedisIsFlushedInTheMiddleOfADrain(CapturedOutput output) {
		try (JournaledApplication application = application(Map.of())) {
			awaitBeat(application);
			List<String> due = application.schedule("due", TASKS / 2, Instant.now().plus(FAR));
			List<String> ids = new ArrayList<>(due);
			ids.addAll(application.schedule("now", TASKS / 2, Instant.now()));
			await().atMost(PATIENCE).until(() -> application.handlers.finished.size() >= TASKS / 8);
			Set<String> finished = new HashSet<>(application.handlers.finished);
			this.redis.cli("FLUSHALL");
			await().atMost(PATIENCE).until(() -> !application.handlers.restored.isEmpty());
			JournalRestoredEvent restored = application.handlers.restored.get(0);
			logger.info("{} of {} tasks were finished before FLUSHALL; {}", finished.size(), TASKS, restored);
			assertThat(restored.queue()).isEqualTo(QUEUE);
			assertThat(restored.tasks()).isGreaterThanOrEqualTo(TASKS / 2);
			assertThat(application.operations().stats(QUEUE).waiting()).isGreaterThanOrEqualTo(TASKS / 2);
			reschedule(application, due, Duration.ZERO);
			await().atMost(PATIENCE).until(() -> application.rows() == 0);
			assertThat(application.handlers.begun.keySet()).containsAll(ids);
			assertThat(finished).allMatch((id) -> application.handlers.times(id) == 1);
			List<String> twice = ids.stream().filter((id) -> application.handlers.times(id) > 1).toList();
			logger.info("{} were in flight and handled twice", twice.size());
			assertThat(twice).hasSizeLessThan(2000);
			assertThat(output).contains("Redis has lost tasks of queue 'orders'");
		}
	}

	private static void reschedule(JournaledApplication application, List<String> ids, Duration delay) {
		ids.parallelStream()
			.forEach((id) -> assertThat(application.operations().reschedule(QUEUE, id, delay)).isTrue());
	}

	/** Two beats: the second one is remembered by the database. */
	private static void awaitBeat(JournaledApplication application) {
		long before = beat(application);
		await().until(() -> beat(application) >= before + 2);
	}

	private static long beat(JournaledApplication application) {
		return application.jdbc()
			.sql("SELECT COALESCE(MAX(beat), 0) FROM delay_queue_epoch")
			.query(Long.class)
			.single();
	}

	@Test
	void tasksComeIntoRedisByThemselvesWhenTheyAreFurtherAwayThanTheHorizon() {
		Map<String, String> properties = Map.of("delay-queue.journal.horizon", "2s");
		try (JournaledApplication application = application(properties)) {
			List<String> ids = application.schedule("far", 50, Instant.now().plusSeconds(20));
			var stats = application.operations().stats(QUEUE);
			assertThat(stats.inDatabaseOnly()).isEqualTo(50);
			assertThat(stats.waiting()).isEqualTo(50);
			assertThat(this.redis.cli("HLEN", "delay:queue:{orders}:tasks")).isEqualTo(0L);
			await().atMost(PATIENCE).until(() -> application.rows() == 0);
			assertThat(application.handlers.early).isZero();
			assertThat(ids).allMatch((id) -> application.handlers.times(id) == 1);
			assertThat(application.handlers.restored).isEmpty();
		}
	}

	@Test
	@Heavy
	void tasksAreHandledWhereverTheyAreWhenTheHorizonIsChanged() {
		try (JournaledApplication application = application(Map.of("delay-queue.journal.horizon", "1m"))) {
			List<String> ids = application.schedule("a", 200, Instant.now().plus(FAR));
			assertThat(this.redis.cli("HLEN", "delay:queue:{orders}:tasks")).isEqualTo(0L);
			application.restartWith("delay-queue.journal.horizon", "2h");
			List<String> others = application.schedule("b", 200, Instant.now().plus(FAR));
			await().until(() -> this.redis.cli("HLEN", "delay:queue:{orders}:tasks").equals(200L));
			assertThat(application.operations().stats(QUEUE).waiting()).isEqualTo(400);
			application.restartWith("delay-queue.journal.horizon", "1m");
			reschedule(application, ids, Duration.ofSeconds(1));
			reschedule(application, others, Duration.ofSeconds(1));
			await().atMost(PATIENCE).until(() -> application.rows() == 0);
			assertThat(Stream.of(ids, others).flatMap(List::stream))
				.allMatch((id) -> application.handlers.times(id) == 1);
			assertThat(application.handlers.early).isZero();
		}
	}

}
