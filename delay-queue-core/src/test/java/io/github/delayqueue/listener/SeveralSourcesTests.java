package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.roles.Retention;
import io.github.delayqueue.roles.SourceNames;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A container whose queue has several sources.
 */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
class SeveralSourcesTests {

	private static final String QUEUE = "orders";

	private static final int PARTITIONS = 8;

	private final InMemoryTaskStore memory = new InMemoryTaskStore(Clock.systemUTC());

	private final FaultyTaskStore store = new FaultyTaskStore(this.memory);

	private final ListenerFixture instance = new ListenerFixture(this.store,
			ListenerFixture.settings(ListenerFixture.FOR_EVER, Retention.NONE, null));

	private final Map<String, Integer> handled = new ConcurrentHashMap<>();

	private final Gate gate = new Gate();

	@AfterEach
	void close() {
		this.store.heal();
		this.gate.open();
		this.instance.close();
	}

	@Test
	void handlesTheTasksOfAllPartitionsAndSettlesThemWhereTheyWereClaimed() {
		this.store.partition(PARTITIONS);
		schedule(PARTITIONS, 50);
		List<String> queues = Collections.synchronizedList(new ArrayList<>());
		this.instance.register(QUEUE, (task, context) -> {
			queues.add(task.queue());
			assertThat(context.extend(Duration.ofMinutes(1))).isTrue();
			return record(task.id());
		}, ListenerOptions.defaults());
		await().until(() -> completed(PARTITIONS) == PARTITIONS * 50);
		assertThat(this.handled).hasSize(PARTITIONS * 50);
		assertThat(this.handled.values()).containsOnly(1);
		assertThat(queues).containsOnly(QUEUE);
		for (String partition : SourceNames.names(QUEUE, PARTITIONS)) {
			assertThat(QueueView.of(this.store).stats(partition).totals().completed()).isEqualTo(50);
			assertThat(QueueView.of(this.store).stats(partition).totals().stale()).isZero();
		}
	}

	@Test
	void takesFromAllPartitionsInTurnsWherePermitsAreScarce() {
		this.store.partition(PARTITIONS);
		schedule(PARTITIONS, 100);
		List<String> order = Collections.synchronizedList(new ArrayList<>());
		this.instance.register(QUEUE, (task, context) -> {
			this.gate.pass();
			order.add(partitionOf(task.id()));
			LockSupport.parkNanos(8_000_000);
			return record(task.id());
		}, ListenerOptions.builder().concurrency(2).build());
		// none has begun before all are there
		await().until(() -> this.instance.registry().get(QUEUE).status().lastPollAt() != null);
		this.gate.open();
		await().until(() -> completed(PARTITIONS) == PARTITIONS * 100);
		// how evenly is for PermitsTests: here one may be held up by the machine
		List<String> lastOfEach = SourceNames.names(QUEUE, PARTITIONS)
			.stream()
			.map((partition) -> order.lastIndexOf(partition))
			.sorted()
			.map(order::get)
			.toList();
		List<String> first = order.subList(0, order.lastIndexOf(lastOfEach.get(0)));
		assertThat(first).as("before any of them is through").contains(lastOfEach.toArray(String[]::new));
	}

	@Test
	void leavesRoomForOtherPartitionsInABatchListenersHands() {
		this.store.partition(PARTITIONS);
		schedule(PARTITIONS, 20);
		List<Integer> batches = Collections.synchronizedList(new ArrayList<>());
		ListenerOptions options = ListenerOptions.builder().concurrency(1).batchSize(20).autoRenewLease(false).build();
		try (ListenerFixture patient = new ListenerFixture(this.store,
				ListenerFixture.settings(ListenerFixture.FOR_EVER, Retention.NONE, null), new PatientThreads(false))) {
			patient.register(QUEUE, options, (deliveries) -> {
				batches.add(deliveries.size());
				deliveries.forEach((delivery) -> record(delivery.task().id()));
				LockSupport.parkNanos(10_000_000);
				return CompletableFuture.completedFuture(Collections.nCopies(deliveries.size(), TaskResult.done()));
			});
			await().until(() -> completed(PARTITIONS) == PARTITIONS * 20);
		}
		assertThat(batches).as("whole batches, each from one partition").hasSize(PARTITIONS);
	}

	@Test
	void goesOnWithTheOthersWhileThreePartitionsDoNotAnswer() {
		this.store.partition(PARTITIONS);
		for (int i = 0; i < 3; i++) {
			this.store.before(Step.CLAIM, SourceNames.name(QUEUE, i), () -> {
				this.gate.passUninterrupted();
				throw new DelayQueueException(QUEUE, null, "no answer");
			});
		}
		this.instance.register(QUEUE, (task, context) -> record(task.id()),
				ListenerOptions.builder().concurrency(4).build());
		await().until(() -> this.gate.entered() == 3);
		Instant stuck = Instant.now();
		schedule(PARTITIONS, 50);
		await().until(() -> this.handled.size() == 5 * 50);
		// all permits may have been taken when it came first, which counts as a poll
		assertThat(this.instance.registry().get(QUEUE).status().lastPollAt()).as("worst partition")
			.satisfiesAnyOf((at) -> assertThat(at).isNull(), (at) -> assertThat(at).isBeforeOrEqualTo(stuck));
		this.gate.open();
		await().until(() -> this.instance.registry().get(QUEUE).status().lastError() != null);
		this.store.heal();
		await().until(() -> completed(PARTITIONS) == PARTITIONS * 50);
		assertThat(this.handled.values()).containsOnly(1);
	}

	@Test
	void givesPermitsToOthersWhileAPartitionKeepsFailing() {
		this.store.partition(2);
		AtomicInteger claims = new AtomicInteger();
		this.store.before(Step.CLAIM, SourceNames.name(QUEUE, 1), () -> {
			if (claims.incrementAndGet() > 1) {
				this.gate.passUninterrupted();
			}
			throw new DelayQueueException(QUEUE, null, "no answer");
		});
		this.instance.register(QUEUE, (task, context) -> record(task.id()),
				ListenerOptions.builder().concurrency(1).autoRenewLease(false).build());
		await().until(() -> this.gate.entered() == 1);
		schedule(1, 50);
		await().until(() -> this.handled.size() == 50);
	}

	@Test
	void claimsFromAPartitionThatFailedWhenAWorkerIsFreeAgain() {
		ManualThreads threads = new ManualThreads();
		ListenerOptions one = ListenerOptions.builder().concurrency(1).autoRenewLease(false).build();
		QueueOptions options = one.own()
			.withDefaults(ListenerFixture.settings(Duration.ofHours(1), Retention.NONE, null));
		List<CompletableFuture<List<TaskResult>>> running = new ArrayList<>();
		this.store.partition(2);
		schedule(2, 1);
		DefaultListenerContainer container = new DefaultListenerContainer(
				new DelayQueueListenerEndpoint("id", QUEUE, String.class, (deliveries) -> {
					deliveries.forEach((delivery) -> record(delivery.task().id()));
					running.add(new CompletableFuture<>());
					return running.get(running.size() - 1);
				}, one, "test"), options, this.store, this.instance.codec(), TaskEvents.NONE, threads, List.of());
		container.start();
		List<ManualTimer.Timer> loops = threads.claims.due();
		SourceNames.names(QUEUE, 2).forEach((partition) -> this.store.before(Step.CLAIM, partition, () -> {
			throw new DelayQueueException(QUEUE, null, "no answer");
		}));
		loops.get(0).fire();
		this.store.heal();
		ManualTimer.Timer again = threads.claims.last();
		loops.get(1).fire();
		assertThat(this.handled).hasSize(1);
		again.fire();
		running.get(0).complete(List.of(TaskResult.done()));
		List.copyOf(threads.claims.timers())
			.stream()
			.filter((timer) -> timer.isArmed() && timer.delay().compareTo(Duration.ofSeconds(1)) < 0)
			.forEach(ManualTimer.Timer::fire);
		assertThat(this.handled).as("not only at the next poll").hasSize(2);
	}

	@Test
	void settlesAndExtendsForTheOthersWhileOnePartitionDoesNotAnswer() {
		MutableClock clock = new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));
		Duration leaseDuration = Duration.ofMillis(600);
		FaultyTaskStore store = new FaultyTaskStore(new InMemoryTaskStore(clock));
		store.partition(2);
		Gate first = new Gate();
		Gate second = new Gate();
		ListenerFixture instance = new ListenerFixture(store);
		try {
			for (String partition : SourceNames.names(QUEUE, 2)) {
				for (int i = 0; i < 2; i++) {
					instance.schedule(partition, partition + "-" + i, "payload", Duration.ZERO);
				}
			}
			instance.register(QUEUE, (task, context) -> {
				record(task.id());
				return task.id().endsWith("-1") ? second.pass() : first.pass();
			}, ListenerOptions.builder().leaseDuration(leaseDuration).build());
			// what waits for a worker may be released, which is a settlement too
			await().until(() -> first.waiting() == 2 && second.waiting() == 2);
			store.before(Step.SETTLE, SourceNames.name(QUEUE, 1), this.gate::passUninterrupted);
			store.before(Step.EXTEND, SourceNames.name(QUEUE, 1), this.gate::passUninterrupted);
			first.open();
			await().until(() -> this.gate.entered() == 2);
			await().until(() -> QueueView.of(store).stats(QUEUE).totals().completed() == 1);
			OutlivedLeases.outlive(store, QUEUE, clock, leaseDuration);
			assertThat(QueueView.of(store).stats(QUEUE).inFlight()).isEqualTo(1);
			second.open();
			await().until(() -> QueueView.of(store).stats(QUEUE).totals().completed() == 2);
			assertThat(QueueView.of(store).stats(SourceNames.name(QUEUE, 1)).totals().completed()).isZero();
		}
		finally {
			this.gate.open();
			first.open();
			second.open();
			instance.close();
		}
	}

	@Test
	void releasesToEachPartitionAndStartsAgain() {
		this.store.partition(2);
		this.instance.register(QUEUE, (task, context) -> {
			record(task.id());
			return TaskResult.done();
		}, ListenerOptions.defaults());
		DelayQueueListenerContainer container = this.instance.registry().get(QUEUE);
		container.stop();
		schedule(2, 3);
		await().during(Duration.ofMillis(200)).until(() -> this.handled.isEmpty());
		container.start();
		await().until(() -> completed(2) == 6);
	}

	/** Ids name the partition they are put into. */
	private void schedule(int partitions, int tasks) {
		for (String partition : SourceNames.names(QUEUE, partitions)) {
			for (int i = 0; i < tasks; i++) {
				this.instance.schedule(partition, partition + "-" + i, "payload", Duration.ZERO);
			}
		}
	}

	private static String partitionOf(String taskId) {
		return taskId.substring(0, taskId.lastIndexOf('-'));
	}

	private long completed(int partitions) {
		return SourceNames.names(QUEUE, partitions)
			.stream()
			.mapToLong((partition) -> QueueView.of(this.store).stats(partition).totals().completed())
			.sum();
	}

	private TaskResult record(String taskId) {
		this.handled.merge(taskId, 1, Integer::sum);
		return TaskResult.done();
	}

}
