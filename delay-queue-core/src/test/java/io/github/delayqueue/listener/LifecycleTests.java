package io.github.delayqueue.listener;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.event.TaskEventListener;
import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.roles.Retention;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;
import io.github.delayqueue.testsupport.Patience;

import static io.github.delayqueue.listener.Gate.waitFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Containers that are started and stopped, again and again and while they work.
 */
@Execution(ExecutionMode.CONCURRENT)
class LifecycleTests {

	private static final String QUEUE = "orders";

	private static final ListenerOptions WAITS_FOR_EVER = ListenerOptions.builder()
		.shutdownTimeout(Duration.ofDays(1))
		.build();

	/** So many that one after the other they would take longer than any test. */
	private static final int CONTAINERS = 100;

	private final MutableClock clock = new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));

	private final FaultyTaskStore store = new FaultyTaskStore(new InMemoryTaskStore(this.clock));

	private final ListenerFixture instance = new ListenerFixture(this.store,
			ListenerFixture.settings(Duration.ofMillis(100), Retention.NONE, null));

	private final Map<String, Integer> handled = new ConcurrentHashMap<>();

	private final Gate gate = new Gate();

	@AfterEach
	void close() {
		this.gate.open();
		this.store.heal();
		this.instance.close();
	}

	@Test
	void claimsNothingWhileItIsStopped() {
		DelayQueueListenerContainer container = register(ListenerOptions.builder().build());
		container.stop();
		schedule("task");
		int claims = this.store.calls(Step.CLAIM);
		await().pollDelay(Duration.ofMillis(400)).until(() -> true);
		assertThat(this.store.calls(Step.CLAIM)).isEqualTo(claims);
		container.start();
		await().until(() -> this.handled.containsKey("task"));
	}

	@Test
	void waitsForRunningHandlersAndReleasesWhatHasNotStartedUncharged() throws InterruptedException {
		DelayQueueListenerContainer container = registerSlow(ListenerOptions.builder().concurrency(2).build());
		for (int i = 0; i < 2000; i++) {
			schedule("quick-" + i);
		}
		// of two claims at a time the later one may be handed on first
		await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().completed() == 2000);
		for (int i = 0; i < 50; i++) {
			this.instance.schedule(QUEUE, "slow-" + i, "slow", Duration.ZERO);
		}
		await().until(() -> this.gate.waiting() == 2);
		Thread stopping = stopInBackground(container);
		await().until(() -> QueueView.of(this.store).stats(QUEUE).inFlight() == 2);
		await().during(Duration.ofMillis(300)).until(stopping::isAlive);
		this.gate.open();
		stopping.join(Patience.LIMIT.toMillis());
		assertThat(stopping.isAlive()).isFalse();
		assertThat(QueueView.of(this.store).stats(QUEUE).totals().completed()).isEqualTo(2002);
		assertThat(QueueView.of(this.store).stats(QUEUE).due()).isEqualTo(48);
		assertThat(this.store.find(QUEUE, "slow-49").orElseThrow().leasesLost()).isZero();
		assertThat(this.store.find(QUEUE, "slow-49").orElseThrow().failures()).isZero();
		container.start();
		await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().completed() == 2050);
		assertThat(this.handled.values()).containsOnly(1);
		assertThat(QueueView.of(this.store).stats(QUEUE).totals().stale()).isZero();
	}

	@Test
	void releasesWhatHasNotStartedAsSoonAsItStops() throws InterruptedException {
		CountDownLatch extension = new CountDownLatch(1);
		DelayQueueListenerContainer container = registerSlow(
				ListenerOptions.builder().concurrency(2).leaseDuration(Duration.ofMillis(600)).build());
		for (int i = 0; i < 2000; i++) {
			schedule("quick-" + i);
		}
		this.instance.schedule(QUEUE, "slow-0", "slow", Duration.ZERO);
		await().until(() -> this.gate.waiting() == 1);
		// without extensions no tick, and nothing that releases but the stop
		this.store.before(Step.EXTEND, () -> waitFor(extension));
		int extensions = this.store.calls(Step.EXTEND);
		await().until(() -> this.store.calls(Step.EXTEND) > extensions);
		handleUntilMuchIsClaimedInAdvance();
		this.instance.schedule(QUEUE, "slow-1", "slow", Duration.ZERO);
		await().until(() -> this.gate.waiting() == 2);
		for (int i = 0; i < 5; i++) {
			schedule("late-" + i);
		}
		await().until(() -> QueueView.of(this.store).stats(QUEUE).inFlight() == 7);
		Thread stopping = stopInBackground(container);
		await().until(() -> QueueView.of(this.store).stats(QUEUE).inFlight() == 2);
		extension.countDown();
		this.gate.open();
		stopping.join(Patience.LIMIT.toMillis());
		await().until(() -> QueueView.of(this.store).stats(QUEUE).due() == 5);
		assertThat(this.handled).doesNotContainKeys("late-0", "late-4");
	}

	@Test
	void releasesWhatAClaimBringsThatIsUnderWayWhenItStops() throws InterruptedException {
		CountDownLatch answer = new CountDownLatch(1);
		DelayQueueListenerContainer container = register(ListenerOptions.builder().autoStartup(false).build());
		this.store.after(Step.CLAIM, () -> waitFor(answer));
		schedule("task");
		container.start();
		await().until(() -> QueueView.of(this.store).stats(QUEUE).inFlight() == 1);
		Thread stopping = stopInBackground(container);
		await().until(() -> !container.isRunning());
		answer.countDown();
		stopping.join(Patience.LIMIT.toMillis());
		await().until(() -> QueueView.of(this.store).stats(QUEUE).due() == 1);
		assertThat(this.handled).isEmpty();
	}

	@Test
	void goesOnWhenItIsStartedWhileAClaimOfBeforeIsStillUnderWay() {
		CountDownLatch answer = new CountDownLatch(1);
		DefaultListenerContainer container = (DefaultListenerContainer) register(
				ListenerOptions.builder().autoStartup(false).build());
		this.store.before(Step.CLAIM, () -> waitFor(answer));
		container.start();
		await().until(() -> this.store.calls(Step.CLAIM) == 1);
		container.beginStop();
		container.start();
		// time for a timer to fire while the claim is under way
		await().pollDelay(Duration.ofMillis(200)).until(container::isRunning);
		this.store.heal();
		answer.countDown();
		schedule("task");
		await().until(() -> this.handled.containsKey("task"));
	}

	@Test
	void keepsExtendingWhatOutlivesTheShutdownTimeoutAndSettlesIt() {
		DelayQueueListenerContainer container = registerSlow(ListenerOptions.builder()
			.leaseDuration(Duration.ofMillis(200))
			.shutdownTimeout(Duration.ofMillis(50))
			.build());
		this.instance.schedule(QUEUE, "task", "slow", Duration.ZERO);
		await().until(() -> this.gate.waiting() == 1);
		container.stop();
		assertThat(container.status().active()).isEqualTo(1);
		OutlivedLeases.outlive(this.store, QUEUE, this.clock, Duration.ofMillis(200));
		assertThat(QueueView.of(this.store).stats(QUEUE).inFlight()).isEqualTo(1);
		this.gate.open();
		await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().completed() == 1);
	}

	@Test
	void canBeStoppedByItsHandlerWithoutWaitingForIt() {
		this.instance.register(QUEUE, (task, context) -> {
			this.instance.registry().get(QUEUE).stop();
			return record(task.id());
		}, WAITS_FOR_EVER);
		schedule("task");
		await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().completed() == 1);
		assertThat(this.instance.registry().get(QUEUE).isRunning()).isFalse();
	}

	@Test
	void canAllBeStoppedByAHandlerOfABatchOfWhichATaskCouldNotBeRead() {
		CountDownLatch stopped = new CountDownLatch(1);
		this.instance.schedule(QUEUE, "unreadable", Map.of(), Duration.ZERO);
		schedule("task");
		this.instance.register(QUEUE,
				ListenerOptions.builder()
					.batchSize(2)
					.concurrency(1)
					.shutdownTimeout(Patience.LIMIT.multipliedBy(3))
					.build(),
				(deliveries) -> {
					deliveries.forEach((delivery) -> record(delivery.task().id()));
					this.instance.registry().stop();
					stopped.countDown();
					return CompletableFuture.completedFuture(List.of(TaskResult.done()));
				});
		waitFor(stopped);
		assertThat(this.handled).containsOnlyKeys("task");
		await().until(() -> QueueView.of(this.store).stats(QUEUE).dead() == 1);
	}

	@Test
	void canBeStoppedByWhoIsToldOfTheEndOfATask() {
		AtomicReference<ListenerFixture> told = new AtomicReference<>();
		CountDownLatch stopped = new CountDownLatch(1);
		try (ListenerFixture other = new ListenerFixture(this.store, new TaskEventListener() {

			@Override
			public void onEnd(String queue, String taskId, DeliveryOutcome outcome, Duration took,
					@Nullable TaskFailure failure) {
				told.get().registry().get(QUEUE).stop();
				stopped.countDown();
			}

		})) {
			told.set(other);
			other.register(QUEUE, (task, context) -> record(task.id()),
					ListenerOptions.builder().shutdownTimeout(Patience.LIMIT.multipliedBy(3)).build());
			schedule("task");
			waitFor(stopped);
			assertThat(other.registry().get(QUEUE).isRunning()).isFalse();
		}
	}

	@Test
	void canBeUnregisteredByItsHandlerWithoutBeingInterrupted() {
		this.instance.register(QUEUE, (task, context) -> {
			assertThat(this.instance.registry().unregister(QUEUE)).isTrue();
			assertThat(Thread.currentThread().isInterrupted()).isFalse();
			return record(task.id());
		}, WAITS_FOR_EVER);
		schedule("task");
		await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().completed() == 1);
	}

	@Test
	void waitsForRunningHandlersWhenItIsUnregisteredAndCannotBeStartedAfterwards() throws InterruptedException {
		DelayQueueListenerContainer container = registerSlow(ListenerOptions.builder().build());
		this.instance.schedule(QUEUE, "task", "slow", Duration.ZERO);
		await().until(() -> this.gate.waiting() == 1);
		Thread unregistering = new Thread(() -> this.instance.registry().unregister(QUEUE));
		unregistering.start();
		await().during(Duration.ofMillis(200)).until(unregistering::isAlive);
		this.gate.open();
		unregistering.join(Patience.LIMIT.toMillis());
		assertThat(QueueView.of(this.store).stats(QUEUE).totals().completed()).isEqualTo(1);
		assertThat(this.instance.registry().getContainers()).isEmpty();
		assertThat(this.instance.registry().unregister(QUEUE)).isFalse();
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(container::start)
			.withMessageContaining("unregistered");
	}

	@Test
	void leasesOfAnUnregisteredListenerAreLookedAfterUntilItsHandlersHaveEnded() {
		DelayQueueListenerContainer container = registerSlow(WAITS_FOR_EVER);
		this.instance.schedule(QUEUE, "task", "slow", Duration.ZERO);
		await().until(() -> this.gate.waiting() == 1);
		CompletableFuture<Void> ended = CompletableFuture.runAsync(() -> this.instance.registry().unregister(QUEUE));
		await().until(() -> !container.isRunning());
		assertThat(this.instance.registry().getContainers()).isEmpty();
		assertThat(this.instance.registry().all()).hasSize(1);
		this.gate.open();
		assertThat(ended).succeedsWithin(Patience.LIMIT);
		await().untilAsserted(() -> assertThat(this.instance.registry().all()).isEmpty());
	}

	@Test
	void applicationThatEndsWaitsForHandlersOfAListenerThatIsBeingStopped() {
		assertClosingWaitsForHandlers(DelayQueueListenerContainer::stop);
	}

	@Test
	void applicationThatEndsWaitsForHandlersOfAListenerThatIsBeingUnregistered() {
		assertClosingWaitsForHandlers((container) -> this.instance.registry().unregister(QUEUE));
	}

	private void assertClosingWaitsForHandlers(Consumer<DelayQueueListenerContainer> end) {
		DelayQueueListenerContainer container = registerSlow(WAITS_FOR_EVER);
		this.instance.schedule(QUEUE, "task", "slow", Duration.ZERO);
		await().until(() -> this.gate.waiting() == 1);
		CompletableFuture<Void> ended = CompletableFuture.runAsync(() -> end.accept(container));
		await().until(() -> !container.isRunning());
		CompletableFuture<Void> closed = CompletableFuture.runAsync(this.instance::close);
		await().during(Duration.ofMillis(200)).until(() -> !closed.isDone());
		this.gate.open();
		assertThat(closed).succeedsWithin(Patience.LIMIT);
		assertThat(ended).succeedsWithin(Patience.LIMIT);
		assertThat(QueueView.of(this.store).stats(QUEUE).totals().completed()).isEqualTo(1);
	}

	@Test
	void releasesUnchargedWhatIsInterruptedWhenTheApplicationEnds() {
		try (ListenerFixture patient = new ListenerFixture(this.store, ListenerFixture.defaults(),
				new PatientThreads(false))) {
			patient.register(QUEUE, (task, context) -> this.gate.pass(),
					ListenerOptions.builder().shutdownTimeout(Duration.ofMillis(50)).build());
			patient.schedule(QUEUE, "task", "slow", Duration.ZERO);
			await().until(() -> this.gate.waiting() == 1);
		}
		assertThat(QueueView.of(this.store).stats(QUEUE).due()).isEqualTo(1);
		assertThat(this.store.find(QUEUE, "task").orElseThrow().failures()).isZero();
	}

	@Test
	void stopsAllContainersAtOnceAndStartsThemAgain() {
		for (int i = 0; i < CONTAINERS; i++) {
			this.instance.register(QUEUE + i, (task, context) -> this.gate.pass(),
					ListenerOptions.builder().shutdownTimeout(Duration.ofSeconds(1)).build());
			this.instance.schedule(QUEUE + i, "task", "payload", Duration.ZERO);
		}
		await().until(() -> this.gate.waiting() == CONTAINERS);
		long before = System.nanoTime();
		this.instance.registry().stop();
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isBetween(Duration.ofMillis(900), Patience.LIMIT);
		assertThat(this.instance.registry().isRunning()).isFalse();
		assertThat(this.instance.registry().getContainers()).noneMatch(DelayQueueListenerContainer::isRunning);
		this.instance.registry().start();
		assertThat(this.instance.registry().getContainers()).allMatch(DelayQueueListenerContainer::isRunning);
	}

	private DelayQueueListenerContainer register(ListenerOptions options) {
		return this.instance.register(QUEUE, (task, context) -> record(task.id()), options);
	}

	private DelayQueueListenerContainer registerSlow(ListenerOptions options) {
		return this.instance.register(QUEUE, (task, context) -> {
			if ("slow".equals(task.payload())) {
				this.gate.pass();
			}
			return record(task.id());
		}, options);
	}

	private void schedule(String taskId) {
		this.instance.schedule(QUEUE, taskId, "payload", Duration.ZERO);
	}

	private TaskResult record(String taskId) {
		this.handled.merge(taskId, 1, Integer::sum);
		return TaskResult.done();
	}

	/** However long the machine has made a handler take. */
	private void handleUntilMuchIsClaimedInAdvance() {
		await().until(() -> {
			for (int i = 0; i < 50; i++) {
				schedule("busy-" + this.handled.size() + "-" + i);
			}
			await().until(() -> QueueView.of(this.store).stats(QUEUE).due() == 0
					&& QueueView.of(this.store).stats(QUEUE).inFlight() == this.gate.waiting());
			int claims = this.store.calls(Step.CLAIM);
			await().until(() -> this.store.calls(Step.CLAIM) > claims + 1);
			return this.store.lastLimit() >= 20;
		});
	}

	private static Thread stopInBackground(DelayQueueListenerContainer container) {
		Thread stopping = new Thread(container::stop, "stopping");
		stopping.start();
		return stopping;
	}

}
