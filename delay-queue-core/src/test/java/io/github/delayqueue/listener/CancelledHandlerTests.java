package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.RecordingEvents;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Handlers whose tasks are taken from them. Leases are so long that no extension would
 * tell them.
 */
@Execution(ExecutionMode.CONCURRENT)
class CancelledHandlerTests {

	private static final String QUEUE = "orders";

	private static final Duration LEASE_DURATION = Duration.ofDays(1);

	private final FaultyTaskStore store = new FaultyTaskStore(new InMemoryTaskStore(Clock.systemUTC()));

	private final RecordingEvents events = new RecordingEvents();

	private final ListenerFixture instance = new ListenerFixture(this.store, this.events);

	private final Gate gate = new Gate();

	@AfterEach
	void close() {
		this.gate.open();
		this.store.heal();
		this.instance.close();
	}

	@ParameterizedTest
	@EnumSource
	void hearsThatItsTaskWasTakenFromItAndItsResultCountsForNothing(Withdrawal withdrawal) {
		AtomicReference<TaskContext> context = registerWaiting(options(true));
		schedule("task");
		await().until(() -> this.gate.waiting() == 1);
		assertThat(context.get().isCancelled()).isFalse();
		withdrawal.from(this.store, QUEUE, "task");
		await().until(() -> context.get().isCancelled());
		assertThat(context.get().isLeaseLost()).isTrue();
		assertThat(this.gate.waiting()).as("it is not interrupted").isOne();
		this.gate.open();
		await().until(() -> !this.events.ends().isEmpty());
		assertThat(this.events.outcomes()).containsExactly(DeliveryOutcome.STALE);
	}

	@Test
	void hearsOfItWithoutRenewalOfItsLeaseWhichEndsWhenItWouldHaveEnded() {
		MutableClock clock = new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));
		InMemoryTaskStore still = new InMemoryTaskStore(clock);
		FaultyTaskStore counted = new FaultyTaskStore(still);
		try (ListenerFixture other = new ListenerFixture(counted)) {
			other.register(QUEUE, (task, context) -> this.gate.pass(), options(false).build());
			other.schedule(QUEUE, "stays", "payload", Duration.ZERO);
			other.schedule(QUEUE, "goes", "payload", Duration.ZERO);
			await().until(() -> this.gate.waiting() == 2);
			Instant end = still.find(QUEUE, "stays").orElseThrow().at();
			int asked = counted.calls(Step.EXTEND);
			counted.cancel(QUEUE, "goes");
			await().until(() -> counted.calls(Step.EXTEND) > asked);
			await().untilAsserted(() -> assertThat(still.find(QUEUE, "stays").orElseThrow().at()).isBeforeOrEqualTo(end)
				.isAfter(end.minus(Duration.ofMinutes(10))));
			this.gate.open();
		}
	}

	@Test
	void isToldAgainWhereAskingForItFails() {
		AtomicReference<TaskContext> context = registerWaiting(options(false));
		schedule("task");
		await().until(() -> this.gate.waiting() == 1);
		this.store.fail(Step.EXTEND);
		this.store.cancel(QUEUE, "task");
		await().until(() -> this.store.calls(Step.EXTEND) > 1);
		assertThat(context.get().isCancelled()).isFalse();
		this.store.heal();
		await().until(() -> context.get().isCancelled());
	}

	private AtomicReference<TaskContext> registerWaiting(ListenerOptions.Builder options) {
		AtomicReference<TaskContext> last = new AtomicReference<>();
		this.instance.register(QUEUE, (task, context) -> {
			last.set(context);
			return this.gate.pass();
		}, options.build());
		return last;
	}

	private void schedule(String id) {
		this.instance.schedule(QUEUE, id, "payload", Duration.ZERO);
	}

	private static ListenerOptions.Builder options(boolean renew) {
		return ListenerOptions.builder().concurrency(4).leaseDuration(LEASE_DURATION).autoRenewLease(renew);
	}

}
