package io.github.delayqueue.listener;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.event.TaskEventListener;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.RecordingEvents;
import io.github.delayqueue.store.PartlySettledException;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.TaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests of {@link SourceSettlements}, with timers that fire when the test says so.
 */
@Timeout(60)
class SourceSettlementsTests {

	private static final String QUEUE = "orders";

	private final TaskStore store = mock(TaskStore.class);

	private final ManualTimer timer = new ManualTimer();

	private final SourceCalls partition = HeldTasks.calls(QUEUE, this.store, TaskEvents.NONE,
			new ManualThreads(this.timer, this::beside));

	private final Leases leases = new Leases(this.partition, Duration.ofHours(1), () -> {
	});

	private final RecordingEvents events = new RecordingEvents();

	private final SourceSettlements settlements = new SourceSettlements(this.partition, this.leases);

	private final HeldTasks tasks = new HeldTasks(QUEUE, new TaskEvents(List.of(this.events, new TaskEventListener() {

		@Override
		public void onEnd(String queue, String taskId, DeliveryOutcome outcome, Duration took,
				@Nullable TaskFailure failure) {
			SourceSettlementsTests.this.meanwhileTold.run();
		}

	})), this.settlements::add);

	/**
	 * Whether there is a thread for calls beside those of the timer: that of the test.
	 */
	private boolean threadForMore;

	/** How often one was asked for. */
	private int asked;

	/** Size of each call that reached the store. */
	private final List<Integer> calls = new ArrayList<>();

	private Runnable meanwhile = () -> {
	};

	private Runnable meanwhileTold = () -> {
	};

	private boolean applied = true;

	/** Tasks that the store cannot settle yet. */
	private final Set<String> heldBack = new HashSet<>();

	private int added;

	@BeforeEach
	void answer() {
		given(this.store.settle(any(), any())).willAnswer((invocation) -> {
			List<Settlement> batch = invocation.getArgument(1);
			this.calls.add(batch.size());
			this.meanwhile.run();
			List<@Nullable Boolean> answers = batch.stream()
				.map((settlement) -> this.heldBack.contains(settlement.taskId()) ? null : (Boolean) this.applied)
				.toList();
			if (answers.contains(null)) {
				throw new PartlySettledException(QUEUE, answers);
			}
			return answers;
		});
	}

	@Test
	void settlesAtOnceAndLetsTheLeaseGo() {
		add(1);
		assertThat(this.leases.size()).isEqualTo(1);
		assertThat(this.timer.last().delay()).isZero();
		this.timer.last().fire();
		assertThat(this.calls).containsExactly(1);
		assertThat(this.leases.size()).isZero();
		assertThat(this.events.outcomes()).containsExactly(DeliveryOutcome.SUCCESS);
	}

	@Test
	void settlesWhatComesDuringACallTogetherWithTheNext() {
		this.meanwhile = () -> {
			if (this.calls.size() == 1) {
				add(7);
			}
		};
		add(1);
		this.timer.last().fire();
		assertThat(this.calls).containsExactly(1, 7);
		assertThat(this.timer.timers()).hasSize(1);
	}

	@Test
	void settlesAgainWhatComesAfterwards() {
		add(1);
		this.timer.last().fire();
		add(1);
		this.timer.last().fire();
		assertThat(this.calls).containsExactly(1, 1);
		assertThat(this.timer.armed()).isZero();
	}

	@Test
	void settlesNoMoreThanTheStoreTakesInOneCall() {
		add(1201);
		this.timer.last().fire();
		assertThat(this.calls).containsExactly(500, 500, 201);
		assertThat(this.leases.size()).isZero();
	}

	@Test
	void settlesFewerOfThoseThatTheStoreGoesOnKeeping() {
		deadLetter(300);
		add(300);
		this.timer.last().fire();
		assertThat(this.calls).containsExactly(250, 350);
		assertThatAllIsSettled();
	}

	@Test
	void givesOthersTheirTurnUnderAPermanentLoad() {
		this.meanwhile = () -> add(1);
		add(1);
		this.timer.last().fire();
		assertThat(this.calls).hasSizeLessThan(100);
		assertThat(this.timer.armed()).isEqualTo(1);
		int before = this.calls.size();
		this.timer.last().fire();
		assertThat(this.calls).hasSizeGreaterThan(before);
	}

	@Test
	void settlesWholeBatchesThatWaitBesideACall() {
		this.threadForMore = true;
		during(1, () -> add(2 * TaskStore.MAX_BATCH + 1));
		add(1);
		this.timer.last().fire();
		assertThat(this.calls).containsExactly(1, 500, 500, 1);
		assertThat(this.asked).isEqualTo(2);
		assertThatAllIsSettled();
	}

	@Test
	void takesFewerOfThoseThatTheStoreGoesOnKeepingForAWholeBatch() {
		this.threadForMore = true;
		during(1, () -> deadLetter(250));
		add(1);
		this.timer.last().fire();
		assertThat(this.calls).containsExactly(1, 250);
		assertThat(this.asked).isEqualTo(1);
		assertThatAllIsSettled();
	}

	@Test
	void makesSeveralCallsBesideOneButNotAnyNumber() {
		this.threadForMore = true;
		this.meanwhile = () -> {
			if (this.calls.size() <= ContainerThreads.CALLS_BESIDE + 1) {
				add(TaskStore.MAX_BATCH);
			}
		};
		add(1);
		this.timer.last().fire();
		assertThat(this.asked).as("each during the one before").isEqualTo(ContainerThreads.CALLS_BESIDE);
		assertThat(this.calls).containsExactly(1, 500, 500, 500);
		assertThatAllIsSettled();
	}

	@Test
	void settlesNothingBesideACallBeforeAWholeBatchWaits() {
		this.threadForMore = true;
		during(1, () -> add(TaskStore.MAX_BATCH - 1));
		add(1);
		this.timer.last().fire();
		assertThat(this.calls).containsExactly(1, 499);
		assertThat(this.asked).isZero();
		assertThatAllIsSettled();
	}

	@Test
	void settlesOneCallAfterTheOtherWithoutAThreadForMore() {
		during(1, () -> add(TaskStore.MAX_BATCH + 1));
		add(1);
		this.timer.last().fire();
		assertThat(this.calls).containsExactly(1, 500, 1);
		assertThat(this.asked).as("by each of those that came after a batch").isEqualTo(2);
		assertThatAllIsSettled();
	}

	@Test
	void leavesToTheOthersWhatCouldNotBeSettledBesideThem() {
		this.threadForMore = true;
		this.meanwhile = () -> {
			if (this.calls.size() == 1) {
				add(TaskStore.MAX_BATCH);
			}
			else if (this.calls.size() == 2) {
				throw new DelayQueueException(QUEUE, null, "down");
			}
		};
		add(1);
		this.timer.last().fire();
		assertThat(this.calls).containsExactly(1, 500, 500);
		assertThatAllIsSettled();
	}

	@Test
	void settlesAgainWhatCouldNotBeSettledBesideACallThatHasEnded() {
		this.threadForMore = true;
		this.meanwhile = () -> {
			throw new DelayQueueException(QUEUE, null, "down");
		};
		add(TaskStore.MAX_BATCH);
		assertThat(this.calls).containsExactly(500);
		this.meanwhile = () -> {
		};
		this.timer.last().fire();
		assertThat(this.calls).containsExactly(500, 500);
		assertThatAllIsSettled();
	}

	@Test
	void makesNoCallBesideOthersWhileNothingCanBeSettled() {
		this.threadForMore = true;
		this.meanwhile = () -> {
			throw new DelayQueueException(QUEUE, null, "down");
		};
		add(1);
		this.timer.last().fire();
		add(2 * TaskStore.MAX_BATCH);
		assertThat(this.asked).isZero();
		this.meanwhile = () -> {
		};
		this.timer.last().fire();
		assertThat(this.calls).containsExactly(1, 500, 500, 1);
		assertThatAllIsSettled();
	}

	@Test
	void keepsWhatCouldNotBeSettledAndTriesAgainLaterAndLater() {
		this.meanwhile = () -> {
			throw new DelayQueueException(QUEUE, null, "down");
		};
		add(3);
		for (long millis : new long[] { 50, 100, 200, 400, 800, 1000, 1000 }) {
			this.timer.last().fire();
			assertThat(this.timer.last().delay()).isEqualTo(Duration.ofMillis(millis));
			assertThat(this.timer.armed()).isEqualTo(1);
		}
		assertThat(this.leases.size()).isEqualTo(3);
		assertThat(this.events.ends()).isEmpty();
		add(2);
		assertThat(this.timer.armed()).isEqualTo(1);
		this.meanwhile = () -> {
		};
		this.timer.last().fire();
		assertThat(this.calls).endsWith(5);
		assertThat(this.leases.size()).isZero();
		assertThat(this.events.ends()).hasSize(5);
	}

	@Test
	void triesAgainLaterAlsoAfterAnError() {
		this.meanwhile = () -> {
			throw new NoClassDefFoundError("for a test");
		};
		add(1);
		this.timer.last().fire();
		assertThat(this.timer.armed()).isEqualTo(1);
		assertThat(this.timer.last().delay()).isEqualTo(Duration.ofMillis(50));
	}

	@Test
	void settlesLaterAndLaterWhatIsHeldBackAndTheOthersMeanwhile() {
		this.heldBack.add("task-1");
		add(3);
		this.timer.last().fire();
		assertThat(this.calls).containsExactly(3);
		assertThat(this.events.outcomes()).hasSize(2).containsOnly(DeliveryOutcome.SUCCESS);
		for (long millis : new long[] { 50, 100, 200, 400, 800, 1000, 1000 }) {
			assertThat(this.leases.size()).as("whose leases are extended").isOne();
			assertThat(this.settlements.pending()).isOne();
			ManualTimer.Timer later = this.timer.last();
			assertThat(later.delay()).isEqualTo(Duration.ofMillis(millis));
			add(2);
			this.timer.last().fire();
			assertThat(this.calls).endsWith(2);
			later.fire();
			this.timer.last().fire();
			assertThat(this.calls).endsWith(1);
		}
		this.heldBack.clear();
		this.timer.last().fire();
		this.timer.last().fire();
		assertThat(this.calls).endsWith(1);
		assertThatAllIsSettled();
	}

	@Test
	void holdsBackWhatWasToBeSettledBesideACall() {
		this.threadForMore = true;
		this.heldBack.add("task-7");
		during(1, () -> add(TaskStore.MAX_BATCH));
		add(1);
		this.timer.last().fire();
		assertThat(this.calls).containsExactly(1, 500);
		assertThat(this.settlements.pending()).isOne();
		this.heldBack.clear();
		this.timer.last().fire();
		this.timer.last().fire();
		assertThat(this.calls).containsExactly(1, 500, 1);
		assertThatAllIsSettled();
	}

	@Test
	void tellsOfWhatCameTooLate() {
		this.applied = false;
		add(1);
		this.timer.last().fire();
		assertThat(this.events.outcomes()).containsExactly(DeliveryOutcome.STALE);
		assertThat(this.leases.size()).isZero();
	}

	@Test
	void hasSettledAllOfACallBeforeItTellsOfAny() {
		List<Integer> pending = new ArrayList<>();
		this.meanwhileTold = () -> pending.add(this.settlements.pending() + this.leases.size());
		add(3);
		this.timer.last().fire();
		assertThat(this.calls).containsExactly(3);
		assertThat(pending).containsExactly(0, 0, 0);
	}

	@Test
	void isIdleOnlyOnceAllIsTold() {
		List<Boolean> idle = new ArrayList<>();
		this.meanwhileTold = () -> idle.add(this.settlements.isIdle());
		assertThat(this.settlements.isIdle()).isTrue();
		add(2);
		assertThat(this.settlements.isIdle()).isFalse();
		this.timer.last().fire();
		assertThat(idle).containsExactly(false, false);
		assertThat(this.settlements.isIdle()).isTrue();
	}

	/**
	 * Whoever is told may stop the container, which waits for the thread of the handler.
	 */
	@Test
	void tellsOfWhatNeedsNoSettlementOnAnotherThreadThanThatOfItsHandler() {
		HeldTask held = held();
		held.setOver();
		held.endWith(held.complete(Duration.ZERO), Duration.ofMillis(1), Duration.ofMillis(1));
		assertThat(this.leases.size()).isZero();
		assertThat(this.events.ends()).isEmpty();
		assertThat(this.settlements.isIdle()).isFalse();
		this.timer.last().fire();
		assertThat(this.events.outcomes()).containsExactly(DeliveryOutcome.SUCCESS);
		assertThat(this.settlements.isIdle()).isTrue();
		assertThat(this.calls).isEmpty();
	}

	@Test
	void doesNotTellOfWhatIsHandedBack() {
		HeldTask held = held();
		held.endWith(held.release(null));
		this.timer.last().fire();
		assertThat(this.calls).containsExactly(1);
		assertThat(this.events.ends()).isEmpty();
		assertThat(this.leases.size()).isZero();
	}

	@Test
	void settlesOnceThereIsAThreadAgain() {
		this.timer.fail(true);
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> add(1));
		this.timer.fail(false);
		add(1);
		this.timer.last().fire();
		assertThat(this.calls).containsExactly(2);
		assertThatAllIsSettled();
	}

	@Test
	void extendsLeasesOnceThereIsAThreadAgain() {
		ManualThreads threads = new ManualThreads();
		Leases leases = new Leases(HeldTasks.calls(QUEUE, this.store, TaskEvents.NONE, threads), Duration.ofHours(1),
				() -> {
				});
		threads.extensions.fail(true);
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> leases.add(List.of(held())));
		threads.extensions.fail(false);
		leases.add(List.of());
		assertThat(threads.extensions.armed()).isOne();
	}

	@Test
	void doesNotThrowWhenTheApplicationEnds() {
		this.timer.reject(true);
		add(2);
		assertThat(this.timer.timers()).isEmpty();
	}

	private boolean beside(Runnable calls) {
		this.asked++;
		if (this.threadForMore) {
			calls.run();
		}
		return this.threadForMore;
	}

	private void during(int call, Runnable action) {
		this.meanwhile = () -> {
			if (this.calls.size() == call) {
				action.run();
			}
		};
	}

	private void assertThatAllIsSettled() {
		assertThat(this.settlements.pending()).isZero();
		assertThat(this.leases.size()).isZero();
		assertThat(this.events.ends()).hasSize(this.added);
		assertThat(this.timer.armed()).isZero();
	}

	private void add(int tasks) {
		for (int i = 0; i < tasks; i++) {
			HeldTask held = held();
			held.endWith(held.complete(Duration.ZERO), Duration.ofMillis(1), Duration.ofMillis(1));
		}
	}

	private void deadLetter(int tasks) {
		for (int i = 0; i < tasks; i++) {
			HeldTask held = held();
			held.endWith(held.deadLetter(true, held.failure(DeadReason.DEAD_LETTERED, "for a test")),
					Duration.ofMillis(1), Duration.ofMillis(1));
		}
	}

	private HeldTask held() {
		HeldTask held = this.tasks.task("task-" + this.added++, Instant.now(), true);
		this.leases.add(List.of(held));
		return held;
	}

}
