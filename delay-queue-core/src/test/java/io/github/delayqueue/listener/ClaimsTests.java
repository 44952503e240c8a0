package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.ArgumentCaptor;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.RecordingEvents;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.store.ClaimNotes;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;

/**
 * Tests of {@link Claims}: what is asked of the store, and when again.
 */
class ClaimsTests {

	private static final String QUEUE = "orders";

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

	private final TaskStore store = mock(TaskStore.class);

	private final MutableClock clock = new MutableClock(NOW);

	private final RecordingEvents events = new RecordingEvents();

	private final ManualThreads threads = new ManualThreads() {

		@Override
		public Clock clock() {
			return ClaimsTests.this.clock;
		}

	};

	private Claims claims;

	@BeforeEach
	void create() {
		DelayQueueListenerEndpoint endpoint = new DelayQueueListenerEndpoint("id", QUEUE, String.class,
				(deliveries) -> {
					throw new UnsupportedOperationException();
				}, ListenerOptions.defaults(), "test");
		SourceCalls calls = HeldTasks.calls(QUEUE, this.store, new TaskEvents(List.of(this.events)), this.threads);
		QueueOptions options = ListenerFixture.defaults();
		Leases leases = new Leases(calls, options.handlerTimeout(), () -> {
		});
		Workers workers = new Workers("id", options, Runnable::run,
				new DeliveryRunner(endpoint, options, calls.runs(), System::nanoTime), () -> {
				});
		this.claims = new Claims(calls, new Claims.Shared("id", options,
				new Permits(workers, options, System::nanoTime), null, () -> "", () -> null, (source, claimed) -> {
				}, (source, token) -> {
				}), leases, new SourceSettlements(calls, leases));
	}

	@Test
	void takesTasksThatHaveCostALeaseInAdvanceAndTheOldestFirstOnceInAWhile() {
		answer(null);
		for (int i = 0; i < 16; i++) {
			this.claims.claim(100, 0);
		}
		List<ClaimRequest> requests = requests(16);
		assertThat(requests).extracting(ClaimRequest::lostLeaseLimit)
			.containsExactly(0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1);
		assertThat(requests).extracting(ClaimRequest::oldestFirst).filteredOn(Boolean::booleanValue).hasSize(2);
		assertThat(requests).extracting(ClaimRequest::token).doesNotHaveDuplicates().noneMatch((t) -> t.contains(":"));
	}

	@Test
	void takesAsManyThatHaveCostALeaseAsCanStart() {
		answer(null);
		this.claims.claim(100, 3);
		assertThat(requests(1).get(0).lostLeaseLimit()).isEqualTo(3);
	}

	@Test
	void claimThatNobodyIsAskedForIsNoSuccessAfterOneThatFailed() {
		given(this.store.claim(any(), any())).willThrow(new DelayQueueException(QUEUE, null, "no answer"));
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> this.claims.claim(1, 1));
		this.claims.claim(0, 0);
		assertThat(this.claims.lastSuccess()).isNull();
		assertThat(this.claims.lastError()).isNotNull();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void claimSucceedsThoughNobodyCanLookForWhatALostOneTook(boolean ending) {
		given(this.store.claim(any(), any())).willThrow(new DelayQueueException(QUEUE, null, "no answer"))
			.willReturn(new ClaimResult(List.of(), NOW, null, false, ClaimNotes.NONE));
		this.claims.start();
		claimInTheLoop();
		this.threads.watch.reject(ending);
		this.threads.watch.fail(!ending);
		claimInTheLoop();
		assertThat(this.threads.claims.last().delay()).as("not that after a failure")
			.isGreaterThan(Duration.ofMillis(500));
	}

	@Test
	void waitsForTheNextTaskFromWhenTheAnswerLeft() {
		answer(Duration.ofMillis(50));
		long before = System.nanoTime();
		ClaimAnswer claimed = this.claims.claim(1, 1);
		assertThat(claimed.from()).isBetween(before, System.nanoTime());
		assertThat(claimed.left(claimed.from())).isEqualTo(Duration.ofMillis(50));
		assertThat(claimed.left(claimed.from() + 1_000_000)).isEqualTo(Duration.ofMillis(49));
		assertThat(claimed.left(claimed.from() + 60_000_000)).isEqualTo(Duration.ofNanos(1));
	}

	@Test
	void waitsFromTheEndOfAClaimWhereNoTaskSaysForHowLong() {
		long later = System.nanoTime() + 60_000_000_000L;
		answer(null);
		assertThat(this.claims.claim(1, 1).left(later)).isEqualTo(Duration.ofSeconds(1));
		answer(Duration.ZERO);
		assertThat(this.claims.claim(1, 1).left(later)).isEqualTo(Duration.ofMillis(20));
		answer(Duration.ZERO, task());
		assertThat(this.claims.claim(1, 1).left(later)).isZero();
		assertThat(this.claims.claim(0, 0).left(later)).isEqualTo(Duration.ofSeconds(1));
	}

	@Test
	void doesNotAskInALoopForWhatItIsNotGiven() {
		answer(Duration.ZERO);
		assertThat(this.claims.claim(1, 1).next()).isEqualTo(Duration.ofMillis(20));
		answer(Duration.ofNanos(1000));
		assertThat(this.claims.claim(1, 1).next()).isEqualTo(Duration.ofNanos(200_000));
	}

	private void claimInTheLoop() {
		this.threads.claims.last().fire();
	}

	@Test
	void doesNotAskWithoutAFreeWorkerWhichIsNoFailure() {
		assertThat(this.claims.claim(0, 0).next()).isEqualTo(Duration.ofSeconds(1));
		assertThat(this.claims.lastSuccess()).isEqualTo(NOW);
		then(this.store).shouldHaveNoInteractions();
	}

	private void answer(@Nullable Duration wakeIn, ClaimedRecord... tasks) {
		given(this.store.claim(eq(QUEUE), any()))
			.willReturn(new ClaimResult(List.of(tasks), NOW, wakeIn, false, ClaimNotes.NONE));
	}

	private static ClaimedRecord task() {
		return new ClaimedRecord("task", new byte[0], TaskPriority.NORMAL, NOW, 0, 0, false, null);
	}

	private List<ClaimRequest> requests(int count) {
		ArgumentCaptor<ClaimRequest> requests = ArgumentCaptor.captor();
		then(this.store).should(times(count)).claim(eq(QUEUE), requests.capture());
		return requests.getAllValues();
	}

}
