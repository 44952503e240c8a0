package io.github.delayqueue.listener;

import java.time.Duration;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.RecordingEvents;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.options.OptionTable;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Leases: extended, run out, taken over, lost. They run out by a clock that is turned.
 */
@Execution(ExecutionMode.CONCURRENT)
class LeaseTests {

	private static final String QUEUE = "orders";

	private static final Duration LEASE_DURATION = Duration.ofMillis(300);

	private final MutableClock clock = new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));

	private final InMemoryTaskStore store = new InMemoryTaskStore(this.clock);

	private final RecordingEvents events = new RecordingEvents();

	private final ListenerFixture instance = new ListenerFixture(this.store, this.events);

	private final Gate gate = new Gate();

	@AfterEach
	void close() {
		this.gate.open();
		this.instance.close();
	}

	@Test
	void handlesATaskOnceThoughItTakesLongerThanTheLeaseDuration() {
		register(true);
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
		assertNotRedelivered(LEASE_DURATION);
		this.gate.open();
		await().until(() -> !this.events.ends().isEmpty());
		assertThat(this.store.stats(QUEUE).totals().completed()).isEqualTo(1);
		assertThat(this.store.stats(QUEUE).totals().leasesLost()).isZero();
		assertThat(this.events.outcomes()).containsExactly(DeliveryOutcome.SUCCESS);
	}

	@Test
	void deliversAgainWhenTheLeaseDurationIsOverWithoutRenewalAndTakesTheFirstAnswerForStale() {
		Queue<Integer> leasesLost = new ConcurrentLinkedQueue<>();
		this.instance.register(QUEUE, (task, context) -> {
			leasesLost.add(task.leasesLost());
			return (task.leasesLost() == 0) ? this.gate.pass() : TaskResult.done();
		}, options(false));
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
		await().until(() -> this.gate.waiting() == 1);
		this.clock.advance(LEASE_DURATION);
		await().until(() -> this.store.stats(QUEUE).totals().completed() == 1);
		assertThat(leasesLost).containsExactly(0, 1);
		assertThat(this.events.leasesLost()).containsExactly(1);
		this.gate.open();
		await().until(() -> this.events.ends().size() == 2);
		assertThat(this.events.outcomes()).containsExactly(DeliveryOutcome.SUCCESS, DeliveryOutcome.STALE);
		assertThat(this.store.stats(QUEUE).totals().stale()).isEqualTo(1);
		assertThat(this.store.stats(QUEUE).totals().completed()).isEqualTo(1);
	}

	@Test
	void letsAHandlerExtendItsLease() {
		AtomicBoolean extended = new AtomicBoolean();
		this.instance.register(QUEUE, (task, context) -> {
			extended.set(context.extend(Duration.ofMinutes(1)));
			return this.gate.pass();
		}, options(false));
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
		await().until(() -> this.gate.waiting() == 1);
		assertThat(extended).isTrue();
		assertLeaseLasts(Duration.ofMinutes(1));
	}

	/** As {@code Duration.between(now, deadline)} is behind the deadline. */
	@ParameterizedTest
	@ValueSource(strings = { "PT0S", "PT-5S", "PT0.000999999S", "PT-2562047788015215H-30M-8S" })
	void refusesToExtendALeaseByNothing(String leaseDuration) {
		Queue<Throwable> refused = new ConcurrentLinkedQueue<>();
		this.instance.register(QUEUE, (task, context) -> {
			try {
				context.extend(Duration.parse(leaseDuration));
			}
			catch (RuntimeException ex) {
				refused.add(ex);
			}
			return this.gate.pass();
		}, options(false));
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
		await().until(() -> this.gate.waiting() == 1);
		assertThat(refused).singleElement()
			.isInstanceOf(DelayQueueException.class)
			.extracting(Throwable::getMessage)
			.asString()
			.contains("Task 'task' of queue 'orders'", "at least a millisecond");
		assertLeaseLasts(LEASE_DURATION);
	}

	/** Without messages, or it may be told before it asks. */
	@Test
	void tellsAHandlerThatExtendsTooLate() {
		FaultyTaskStore quiet = new FaultyTaskStore(this.store);
		quiet.fail(Step.SUBSCRIBE);
		Queue<Boolean> told = new ConcurrentLinkedQueue<>();
		try (ListenerFixture unwoken = new ListenerFixture(quiet, this.events)) {
			unwoken.schedule(QUEUE, "task", "payload", Duration.ZERO);
			unwoken.register(QUEUE, (task, context) -> {
				this.gate.pass();
				told.add(context.isLeaseLost());
				told.add(context.extend(Duration.ofMinutes(1)));
				told.add(context.isLeaseLost());
				return TaskResult.done();
			}, ListenerOptions.builder().autoRenewLease(false).build());
			await().until(() -> this.gate.waiting() == 1);
			this.store.cancel(QUEUE, "task");
			this.gate.open();
			await().until(() -> !this.events.ends().isEmpty());
		}
		assertThat(told).containsExactly(false, false, true);
		assertThat(this.events.outcomes()).containsExactly(DeliveryOutcome.STALE);
	}

	@Test
	void tellsAHandlerWhoseTaskIsCancelled() {
		AtomicInteger told = registerWaitingForTheLossOfItsLease();
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
		await().until(() -> this.gate.waiting() == 1);
		assertThat(this.store.cancel(QUEUE, "task")).isTrue();
		this.gate.open();
		await().until(() -> told.get() == 1);
		await().until(() -> this.events.outcomes().contains(DeliveryOutcome.STALE));
		assertThat(this.events.starts()).hasSize(1);
	}

	@Test
	void tellsAHandlerWhoseTaskIsReplacedAndDeliversTheNewOne() {
		AtomicInteger told = registerWaitingForTheLossOfItsLease();
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
		await().until(() -> this.gate.waiting() == 1);
		this.instance.schedule(QUEUE, "task", "new", Duration.ZERO);
		this.gate.open();
		await().until(() -> told.get() == 1);
		await().until(() -> this.events.outcomes().size() == 2);
		assertThat(this.events.outcomes()).containsExactlyInAnyOrder(DeliveryOutcome.STALE, DeliveryOutcome.SUCCESS);
	}

	@Test
	void takesTheShorterLeaseDurationThatATaskBrings() {
		this.instance.register(QUEUE,
				(task, context) -> (task.leasesLost() == 0) ? this.gate.pass() : TaskResult.done(),
				ListenerOptions.builder().leaseDuration(Duration.ofMinutes(5)).autoRenewLease(false).build());
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO, leaseDuration(LEASE_DURATION));
		awaitLease(LEASE_DURATION);
		this.clock.advance(LEASE_DURATION);
		await().until(() -> this.events.outcomes().contains(DeliveryOutcome.SUCCESS));
		assertThat(this.events.leasesLost()).containsExactly(1);
	}

	@Test
	void keepsALeaseWhoseLeaseDurationIsTooShortToBeExtendedInTime() {
		register(true);
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO, leaseDuration(Duration.ofMillis(1)));
		awaitLease(OptionTable.MIN_LEASE_DURATION);
		assertNotRedelivered(OptionTable.MIN_LEASE_DURATION);
	}

	private void register(boolean renew) {
		this.instance.register(QUEUE, (task, context) -> this.gate.pass(), options(renew));
	}

	/** Behind the gate: a lease that is extended late counts as lost for a while. */
	private AtomicInteger registerWaitingForTheLossOfItsLease() {
		AtomicInteger told = new AtomicInteger();
		this.instance.register(QUEUE, (task, context) -> {
			if ("payload".equals(task.payload())) {
				this.gate.pass();
				await().until(context::isLeaseLost);
				told.incrementAndGet();
			}
			return TaskResult.done();
		}, options(true));
		return told;
	}

	private void assertNotRedelivered(Duration leaseDuration) {
		await().until(() -> this.gate.entered() == 1);
		OutlivedLeases.outlive(this.store, QUEUE, this.clock, leaseDuration);
		assertThat(this.gate.entered()).isEqualTo(1);
		assertThat(this.store.stats(QUEUE).inFlight()).isEqualTo(1);
	}

	private void awaitLease(Duration leaseDuration) {
		Instant until = this.clock.instant().plus(leaseDuration);
		await().until(() -> this.store.find(QUEUE, "task").orElseThrow().at().equals(until));
	}

	/** Not a moment less, nor more. */
	private void assertLeaseLasts(Duration leaseDuration) {
		this.store.setPaused(QUEUE, true);
		this.clock.advance(leaseDuration.minusMillis(1));
		assertThat(this.store.stats(QUEUE).leasesLost()).isZero();
		this.clock.advance(Duration.ofMillis(1));
		assertThat(this.store.stats(QUEUE).leasesLost()).isEqualTo(1);
		assertThat(this.gate.entered()).isEqualTo(1);
	}

	private static ListenerOptions options(boolean renew) {
		return ListenerOptions.builder().leaseDuration(LEASE_DURATION).autoRenewLease(renew).build();
	}

	private static TaskOptions leaseDuration(Duration leaseDuration) {
		return new TaskOptions(leaseDuration, null, null, null, null);
	}

}
