package io.github.delayqueue.listener;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.event.TaskEventListener;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.Heavy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Many instances that consume one queue: each task is handled once, and none of them
 * keeps work from the others. What each task costs in claims that bring nothing, and the
 * lateness, are printed, not asserted.
 */
@Heavy
class ManyConsumersIntegrationTests {

	private static final Logger logger = LoggerFactory.getLogger(ManyConsumersIntegrationTests.class);

	private static final String QUEUE = "shared";

	private static final int INSTANCES = 8;

	private static final int PER_SECOND = 1000;

	private static final int SLOW = 300;

	private static final int CONCURRENCY = 4;

	private static final int TASKS = Integer.getInteger("consumers.tasks", 3000);

	private final RedisStores stores = RedisStores.onShared("consumers");

	private final List<ListenerFixture> instances = new ArrayList<>();

	private final Map<String, Integer> handled = new ConcurrentHashMap<>();

	private final Gate gate = new Gate();

	private final Queue<Long> lateness = new ConcurrentLinkedQueue<>();

	@AfterEach
	void close() {
		this.gate.open();
		this.instances.forEach(ListenerFixture::close);
		this.stores.close();
	}

	@Test
	void handleEachTaskOnceTogether() {
		addInstances(INSTANCES);
		schedule();
		await().until(() -> this.handled.size() == TASKS);
		long claims = sum(ContainerStatus::claims);
		long empty = sum(ContainerStatus::emptyClaims);
		report(INSTANCES, claims, empty);
		assertThat(this.handled.values()).containsOnly(1);
		await().until(() -> this.stores.get(0).stats(QUEUE).totals().completed() == TASKS);
		assertThat(this.stores.get(0).stats(QUEUE).totals().stale()).isZero();
	}

	@Test
	void stepInForOneAnother() {
		addInstances(2);
		schedule();
		await().until(() -> this.handled.size() > TASKS / 3);
		this.instances.remove(0).close();
		await().until(() -> this.handled.size() == TASKS);
		report(1, sum(ContainerStatus::claims), sum(ContainerStatus::emptyClaims));
		assertThat(this.handled.values()).containsOnly(1);
	}

	/**
	 * Nobody holds much more than it is working at: neither when there is work for
	 * everybody, nor when one of them comes to a standstill.
	 */
	@Test
	void leaveToOthersWhatTheyCannotWorkAtThemselves() {
		CountDownLatch allWork = new CountDownLatch(2 * CONCURRENCY);
		ListenerOptions options = ListenerOptions.builder().concurrency(CONCURRENCY).build();
		addInstance(options, () -> {
			allWork.countDown();
			this.gate.passUninterrupted();
		});
		addInstance(options, () -> {
			allWork.countDown();
			await().until(() -> allWork.getCount() == 0);
			LockSupport.parkNanos(10_000_000);
		});
		Instant due = Instant.now().plusMillis(500);
		this.stores.get(0)
			.schedule(QUEUE,
					IntStream.range(0, SLOW)
						.mapToObj((i) -> this.instances.get(0)
							.task(QUEUE, "task-" + i, "payload", DueTime.at(due), TaskOptions.NONE))
						.toList());
		await().until(() -> {
			QueueStats stats = this.stores.get(0).stats(QUEUE);
			return stats.scheduled() == 0 && stats.totals().completed() + stats.inFlight() == SLOW
					&& stats.inFlight() <= 2 * CONCURRENCY;
		});
		assertThat(this.handled.size()).isGreaterThanOrEqualTo(SLOW - 2 * CONCURRENCY);
		this.gate.open();
		await().until(() -> this.stores.get(0).stats(QUEUE).totals().completed() == SLOW);
		assertThat(this.handled).hasSize(SLOW);
		assertThat(this.handled.values()).containsOnly(1);
	}

	private void addInstances(int count) {
		for (int i = 0; i < count; i++) {
			addInstance(ListenerOptions.defaults(), () -> {
			});
		}
	}

	private void addInstance(ListenerOptions options, Runnable work) {
		ListenerFixture instance = new ListenerFixture(this.stores.open(), new TaskEventListener() {
			@Override
			public void onStart(String queue, String taskId, Duration late) {
				ManyConsumersIntegrationTests.this.lateness.add(late.toNanos());
			}
		});
		instance.register(QUEUE, (task, context) -> {
			work.run();
			this.handled.merge(task.id(), 1, Integer::sum);
			return TaskResult.done();
		}, options);
		this.instances.add(instance);
	}

	private void schedule() {
		Instant start = Instant.now().plusMillis(1500);
		List<NewTask> chunk = new ArrayList<>();
		for (int i = 0; i < TASKS; i++) {
			DueTime due = DueTime.at(start.plus(Duration.ofSeconds(i).dividedBy(PER_SECOND)));
			chunk.add(this.instances.get(0).task(QUEUE, "task-" + i, "payload", due, TaskOptions.NONE));
			if (chunk.size() == TaskStore.MAX_BATCH) {
				this.stores.get(0).schedule(QUEUE, chunk);
				chunk.clear();
			}
		}
	}

	private long sum(ToLongFunction<ContainerStatus> figure) {
		return this.instances.stream()
			.map((instance) -> instance.registry().get(QUEUE).status())
			.mapToLong(figure)
			.sum();
	}

	private void report(int instances, long claims, long empty) {
		long[] sorted = this.lateness.stream().mapToLong(Long::longValue).sorted().toArray();
		logger.info("{} instances, {} tasks at {} a second: {} claims, {} of them empty, lateness p50 {} ms, p99 {} ms",
				instances, TASKS, PER_SECOND, claims, empty, millis(sorted, 0.5), millis(sorted, 0.99));
	}

	private static double millis(long[] sorted, double quantile) {
		return Math.round(sorted[(int) (sorted.length * quantile)] / 10_000.0) / 100.0;
	}

}
