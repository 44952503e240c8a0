package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.PartitionCounts;
import io.github.delayqueue.store.PartitionedTaskStore;
import io.github.delayqueue.store.Partitions;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.Patience;
import io.github.delayqueue.testsupport.RedisServer;

import static io.github.delayqueue.fixtures.Tasks.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A queue grows from one partition to eight while processes that know of one and of eight
 * go on with it. Each has a store, and connections, of its own.
 */
@Execution(ExecutionMode.CONCURRENT)
class PartitionGrowthIntegrationTests {

	private static final String QUEUE = "growing";

	private static final int BEFORE = 2_000;

	private final RedisServer server = RedisServer.startNew();

	private final List<AutoCloseable> processes = new ArrayList<>();

	private final RedisTaskStore partitions = open();

	private final Map<String, AtomicInteger> handled = new ConcurrentHashMap<>();

	private final AtomicBoolean stopped = new AtomicBoolean();

	private RedisTaskStore open() {
		RedisStores process = RedisStores.on(this.server);
		this.processes.add(process);
		return process.open();
	}

	private PartitionedTaskStore process(int configured) {
		return new PartitionedTaskStore(open(), (queue) -> configured);
	}

	@AfterEach
	void close() throws Exception {
		for (AutoCloseable process : this.processes) {
			process.close();
		}
		this.server.close();
	}

	@Test
	void nothingIsLostOrDoubledWhileTheQueueGrows() {
		PartitionedTaskStore one = process(1);
		schedule(one, "before-", 0, BEFORE, Duration.ZERO);
		List<CompletableFuture<?>> consumers = List.of(consume(process(1)), consume(process(1)));
		CompletableFuture<Integer> old = CompletableFuture.supplyAsync(() -> {
			int batches = 0;
			for (int learned = 0; learned < 100; learned += (one.partitions(QUEUE).size() == 8) ? 1 : 0) {
				schedule(one, "old-", batches++ * 10, 10, Duration.ofMillis(batches % 20));
			}
			return batches;
		});
		await().until(() -> this.handled.size() > BEFORE / 10);
		PartitionedTaskStore eight = process(8);
		IntStream.range(0, 200).forEach((i) -> schedule(eight, "new-", i * 10, 10, Duration.ofMillis(i % 20)));
		int scheduled = BEFORE + 2_000 + old.orTimeout(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS).join() * 10;
		await().until(() -> this.handled.size() == scheduled);
		this.stopped.set(true);
		consumers.forEach(CompletableFuture::join);
		assertThat(this.handled.values()).allMatch((times) -> times.get() == 1);
		QueueStats stats = eight.stats(QUEUE);
		assertThat(stats.totals().scheduled()).isEqualTo(scheduled);
		assertThat(stats.totals().completed()).isEqualTo(scheduled);
		assertThat(stats.totals().leasesLost() + stats.scheduled() + stats.inFlight() + stats.dead()).isZero();
		Partitions.names(QUEUE, 8).forEach((partition) -> {
			assertThat(this.partitions.stats(partition).totals().scheduled()).as(partition).isPositive();
		});
	}

	@Test
	void tasksAreFoundInOldAndNewHomesWhileTheQueueGrows() {
		PartitionedTaskStore one = process(1);
		Duration hour = Duration.ofHours(1);
		schedule(one, "task-", 0, 400, hour);
		PartitionedTaskStore eight = process(8);
		CompletableFuture<?> growing = CompletableFuture.runAsync(() -> schedule(eight, "task-", 400, 400, hour));
		for (TaskStore store : List.of(one, eight)) {
			IntStream.range(0, 400).forEach((i) -> {
				assertThat(store.find(QUEUE, "task-" + i)).isPresent();
				assertThat(store.reschedule(QUEUE, "task-" + i, DueTime.in(hour))).isTrue();
				assertThat(store.schedule(QUEUE, List.of(task("task-" + i, hour, DuplicatePolicy.REJECT))))
					.containsExactly(ScheduleOutcome.REJECTED);
			});
		}
		growing.join();
		for (TaskStore store : List.of(one, eight)) {
			for (int i = 0; i < 800; i += 100) {
				assertThat(store.schedule(QUEUE, tasks("task-", i, 100, hour))).containsOnly(ScheduleOutcome.REPLACED);
			}
		}
		assertThat(one.stats(QUEUE).scheduled()).isEqualTo(800);
		assertThat(this.partitions.stats(QUEUE).scheduled()).as("those at home in the first one").isLessThan(200);
		assertThat(IntStream.range(0, 800).filter((i) -> one.cancel(QUEUE, "task-" + i))).hasSize(800);
		assertThat(eight.stats(QUEUE).scheduled()).isZero();
	}

	@Test
	void storeThatIsEmptiedInBetweenIsToldAgain() {
		PartitionedTaskStore one = process(1);
		schedule(one, "before-", 0, 100, Duration.ofHours(1));
		PartitionedTaskStore eight = process(8);
		schedule(eight, "before-", 100, 100, Duration.ofHours(1));
		this.server.cli("FLUSHALL");
		schedule(one, "after-", 0, 100, Duration.ofHours(1));
		schedule(process(1), "after-", 100, 100, Duration.ofHours(1));
		schedule(eight, "after-", 200, 100, Duration.ofHours(1));
		for (int i = 0; i < 300; i++) {
			assertThat(eight.find(QUEUE, "after-" + i)).isPresent();
			assertThat(one.find(QUEUE, "after-" + i)).isPresent();
		}
		// nobody who scheduled before had learned of eight
		assertThat(this.partitions.stats(QUEUE).scheduled()).isBetween(200L, 250L);
		assertThat(this.partitions.learn(QUEUE, PartitionCounts.UNCHECKED, false).counts()).hasToString("8,1");
		this.server.cli("FLUSHALL");
		await().until(() -> claim(eight, Partitions.name(QUEUE, 3)).partitions() == 8);
	}

	@Test
	void queueKeepsItsPartitionsWhenNobodyIsConfiguredForThem() {
		schedule(process(8), "before-", 0, 100, Duration.ZERO);
		PartitionedTaskStore one = process(1);
		schedule(one, "after-", 0, 100, Duration.ZERO);
		assertThat(one.list(QUEUE, TaskState.SCHEDULED, 0, 500)).hasSize(200);
		assertThat(this.partitions.learn(QUEUE, PartitionCounts.UNCHECKED, false).counts()).hasToString("8");
	}

	private CompletableFuture<?> consume(TaskStore store) {
		return CompletableFuture.runAsync(() -> {
			while (!this.stopped.get()) {
				for (String partition : store.partitions(QUEUE)) {
					List<ClaimedRecord> tasks = claim(store, partition).tasks();
					tasks.forEach((task) -> this.handled.computeIfAbsent(task.id(), (id) -> new AtomicInteger())
						.incrementAndGet());
					assertThat(store.settle(partition,
							tasks.stream().map((task) -> Settlement.complete(task.id(), "t", false)).toList()))
						.doesNotContain(false);
				}
			}
		});
	}

	private static ClaimResult claim(TaskStore store, String partition) {
		return store.claim(partition, ClaimRequest.of("t", 20, Duration.ofMinutes(1)));
	}

	private static void schedule(TaskStore store, String prefix, int first, int count, Duration delay) {
		for (int i = first; i < first + count; i += 500) {
			assertThat(store.schedule(QUEUE, tasks(prefix, i, Math.min(500, first + count - i), delay)))
				.containsOnly(ScheduleOutcome.CREATED);
		}
	}

	private static List<NewTask> tasks(String prefix, int first, int count, Duration delay) {
		return IntStream.range(first, first + count)
			.mapToObj((i) -> task(prefix + i, delay, DuplicatePolicy.REPLACE))
			.toList();
	}

}
