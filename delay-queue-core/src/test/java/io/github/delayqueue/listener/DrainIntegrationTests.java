package io.github.delayqueue.listener;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.TestEffort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Many tasks due at the same instant: none lost, doubled or early. The rate is printed,
 * not asserted.
 */
class DrainIntegrationTests {

	private static final Logger logger = LoggerFactory.getLogger(DrainIntegrationTests.class);

	private static final int TASKS = TestEffort.pick(10_000, 50_000);

	@Test
	void handlesEachOfManyTasksDueAtOnceExactlyOnceAndNotEarly() {
		try (RedisStores stores = RedisStores.onShared("drain")) {
			TaskStore store = stores.open();
			try (ListenerFixture instance = new ListenerFixture(store)) {
				drain(store, instance, "warm-up");
				drain(store, instance, "drain");
			}
		}
	}

	private void drain(TaskStore store, ListenerFixture instance, String queue) {
		Map<String, Integer> handled = new ConcurrentHashMap<>(2 * TASKS);
		AtomicInteger count = new AtomicInteger();
		AtomicInteger early = new AtomicInteger();
		Instant dueAt = Instant.now().plusSeconds(4).truncatedTo(ChronoUnit.MILLIS);
		DueTime due = DueTime.at(dueAt);
		List<NewTask> chunk = new ArrayList<>();
		for (int i = 0; i < TASKS; i++) {
			chunk.add(instance.task(queue, "task-" + i, "payload-" + i, due, TaskOptions.NONE));
			if (chunk.size() == TaskStore.MAX_BATCH) {
				store.schedule(queue, chunk);
				chunk.clear();
			}
		}
		instance.registry().register(queue, String.class, (task, context) -> {
			if (Instant.now().isBefore(dueAt)) {
				early.incrementAndGet();
			}
			handled.merge(task.id(), 1, Integer::sum);
			count.incrementAndGet();
			return TaskResult.done();
		}, ListenerOptions.defaults());
		await().until(() -> count.get() >= TASKS);
		Duration took = Duration.between(dueAt, Instant.now());
		await().until(() -> store.stats(queue).totals().completed() == TASKS);
		logger.info("{}: {} tasks in {} ms: {} a second", queue, TASKS, took.toMillis(),
				TASKS * 1000L / Math.max(1, took.toMillis()));
		assertThat(handled).hasSize(TASKS);
		assertThat(handled.values()).containsOnly(1);
		assertThat(early).hasValue(0);
		QueueStats stats = store.stats(queue);
		assertThat(stats.inFlight() + stats.scheduled() + stats.dead()).isZero();
		assertThat(stats.totals().stale()).isZero();
	}

}
