package io.github.delayqueue.store;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.fixtures.Tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Who is told that the earliest event of a queue has become earlier. That nobody is told
 * shows when the next message arrives: messages of a queue arrive in order.
 */
interface WakeContract extends TaskStoreFixture {

	@Test
	default void scheduleWakesWhenTheTaskIsTheFirst() {
		try (Wakes wakes = wakes()) {
			schedule(task("a", Duration.ofSeconds(60)));
			schedule(task("later", TaskPriority.HIGH, Duration.ofSeconds(90)), task("as-late", Duration.ofSeconds(60)));
			schedule(task("b", TaskPriority.LOW, Duration.ofSeconds(30)));
			schedule(task("c", Duration.ofSeconds(29)), task("d", TaskPriority.HIGH, Duration.ofSeconds(10)));
			schedule(task("e", Duration.ZERO));
			wakes.assertSeconds(60, 30, 10, 0);
		}
	}

	@Test
	default void nobodyIsWokenWhileTheFirstTaskIsDueAlready() {
		try (Wakes wakes = wakes()) {
			schedule(task("a", Duration.ZERO), task("b", SECOND));
			advance(Duration.ofSeconds(10));
			claim("t1", 1);
			settle(Settlement.release("a", "t1", null));
			schedule(task("c", Duration.ZERO));
			claim("t2");
			schedule(task("d", Duration.ofSeconds(7)));
			wakes.assertSeconds(0, 7);
		}
	}

	@Test
	default void rescheduleWakesWhenTheTaskBecomesTheFirst() {
		try (Wakes wakes = wakes()) {
			schedule(task("a", Duration.ofSeconds(60)), task("b", Duration.ofSeconds(70)));
			store().reschedule(queue(), "a", DueTime.in(Duration.ofSeconds(80)));
			store().reschedule(queue(), "a", DueTime.in(Duration.ofSeconds(75)));
			store().reschedule(queue(), "b", DueTime.in(Duration.ofSeconds(20)));
			store().reschedule(queue(), "a", DueTime.in(Duration.ofSeconds(-20)));
			wakes.assertSeconds(60, 20, 0);
		}
	}

	@Test
	default void retryAndReleaseWakeWhenTheTaskIsTheFirst() {
		try (Wakes wakes = wakes()) {
			scheduleDue("a", "b", "c");
			claim("t1");
			settle(Settlement.retry("a", "t1", Duration.ofSeconds(50), null));
			settle(Settlement.release("b", "t1", Duration.ofSeconds(40)));
			settle(Settlement.release("c", "t1", null));
			wakes.assertSeconds(0, 50, 40, 0);
		}
	}

	@Test
	default void repeatAndSkipWakeWhenTheTaskIsTheFirst() {
		try (Wakes wakes = wakes()) {
			scheduleDue("a", "b", "c");
			claim("t1");
			settle(Settlement.repeat("a", "t1", now().plusSeconds(50)));
			settle(Settlement.skip("b", "t1", false, null, now().plusSeconds(40)));
			settle(Settlement.repeat("c", "t1", now().minusSeconds(1)));
			wakes.assertSeconds(0, 50, 40, 0);
		}
	}

	@Test
	default void settlementsThatScheduleNothingWakeNobody() {
		try (Wakes wakes = wakes()) {
			scheduleDue("a", "b", "c");
			claim("t1");
			settle(Settlement.complete("a", "t1", false));
			settle(Settlement.complete("b", "t1", true));
			settle(Settlement.bury("c", "t1", true, null));
			schedule(task("d", Duration.ofSeconds(7)));
			wakes.assertSeconds(0, 7);
		}
	}

	@Test
	default void settlementWakesOnceWhenAClaimFoundTheQueueFull() {
		try (Wakes wakes = wakes()) {
			scheduleDue("a", "b", "c");
			claimOf(3, "t1", 2);
			settle(Settlement.complete("a", "t1", false));
			assertThat(claimOf(1, "t2", 9).tasks()).isEmpty();
			assertThat(settle(Settlement.complete("a", "t1", false))).isFalse();
			wakes.assertSeconds(0);
			settle(Settlement.complete("b", "t1", false));
			wakes.assertSeconds(0, 0);
			assertThat(claimOf(1, "t3", 9).tasks()).hasSize(1);
			settle(Settlement.bury("c", "t3", true, null));
			scheduleDue("d", "e");
			assertThat(claimOf(1, "t4", 9).tasks()).hasSize(1);
			settle(Settlement.release("d", "t4", Duration.ofSeconds(9)));
			wakes.assertSeconds(0, 0, 0, 0);
			claimOf(1, "t5", 9);
			settle(Settlement.complete("e", "t5", false));
			schedule(task("f", Duration.ofSeconds(7)));
			wakes.assertSeconds(0, 0, 0, 0, 7);
		}
	}

	@Test
	default void placesThatAreFreedInAnotherWayThanByASettlementAreAnnouncedToo() {
		try (Wakes wakes = wakes()) {
			scheduleDue("a", "b", "c", "d", "e", "f");
			claimOf(1, "t1", 9);
			store().cancel(queue(), "a");
			wakes.assertSeconds(0, 0);
			claimOf(1, "t2", 9);
			schedule(task("b", Duration.ofSeconds(60)));
			wakes.assertSeconds(0, 0, 0);
			assertThat(settle(Settlement.complete("b", "t2", false))).isFalse();
			claimOf(1, "t3", 9);
			store().cancel(queue(), "d");
			store().clear(queue());
			wakes.assertSeconds(0, 0, 0, 0);
			schedule(task("g", Duration.ofSeconds(7)));
			wakes.assertSeconds(0, 0, 0, 0, 7);
		}
	}

	@Test
	default void replacingOrCancellingWhatIsNotInFlightMakesNoRoom() {
		try (Wakes wakes = wakes()) {
			scheduleDue("a", "b", "c");
			claimOf(1, "t1", 9);
			store().cancel(queue(), "b");
			schedule(task("c", Duration.ZERO));
			wakes.assertSeconds(0);
			settle(Settlement.complete("a", "t1", false));
			wakes.assertSeconds(0, 0);
		}
	}

	private ClaimResult claimOf(int inFlight, String token, int limit) {
		return store().claim(queue(), ClaimRequest.of(token, limit, TTR).withLimits(new FlowLimits(null, inFlight)));
	}

	@Test
	default void redriveWakes() {
		bury("a");
		try (Wakes wakes = wakes()) {
			schedule(task("b", Duration.ofSeconds(60)));
			store().redrive(queue(), List.of("a"));
			wakes.assertSeconds(60, 0);
		}
	}

	@Test
	default void resumeWakesForTheFirstTaskOrLease() {
		try (Wakes wakes = wakes()) {
			schedule(task("a", Duration.ZERO), task("b", Duration.ofSeconds(60)));
			store().setPaused(queue(), true);
			advance(SECOND);
			store().setPaused(queue(), false);
			claim("t1");
			store().setPaused(queue(), true);
			store().setPaused(queue(), false);
			settle(Settlement.complete("a", "t1", false));
			store().setPaused(queue(), true);
			store().setPaused(queue(), false);
			wakes.assertSeconds(0, 0, TTR.toSeconds(), 59);
		}
	}

	@Test
	default void queueWakesOnlyItsOwnListeners() {
		String other = queue() + ".other";
		try (Wakes wakes = wakes(); Wakes others = wakes(other)) {
			store().schedule(other, List.of(task("a", Duration.ofSeconds(5))));
			schedule(task("a", Duration.ofSeconds(6)));
			others.assertSeconds(5);
			wakes.assertSeconds(6);
		}
		store().clear(other);
	}

	@Test
	default void closedSubscriptionIsNotWoken() {
		Wakes closed = wakes();
		try (Wakes open = wakes()) {
			closed.close();
			closed.close();
			// closing may take effect a moment later
			await().until(() -> {
				closed.received.clear();
				open.received.clear();
				store().setPaused(queue(), false);
				await().until(() -> !open.received.isEmpty());
				return closed.received.isEmpty();
			});
			open.received.clear();
			schedule(task("a", Duration.ofSeconds(5)));
			open.assertSeconds(5);
			assertThat(closed.received).isEmpty();
		}
	}

	private Wakes wakes() {
		return wakes(queue());
	}

	/**
	 * Subscribe, and wait until messages arrive: that may take a moment. Leaves a task
	 * that is never due, whose messages are not recorded among the others.
	 * @param queue the queue
	 * @return what arrives
	 */
	private Wakes wakes(String queue) {
		NewTask never = new NewTask("never", bytes(), DueTime.in(Wakes.NEVER), TaskPriority.LOW,
				DuplicatePolicy.REJECT);
		store().schedule(queue, List.of(never));
		Wakes wakes = new Wakes();
		wakes.subscription = store().subscribe(queue, wakes);
		await().until(() -> {
			store().setPaused(queue, false);
			return wakes.received.stream().anyMatch(Wakes::isNever);
		});
		// nor is that the subscription stands
		wakes.received.clear();
		return wakes;
	}

	private static byte[] bytes() {
		return Tasks.bytes("never due");
	}

	/**
	 * The messages of a subscription.
	 */
	final class Wakes implements WakeListener, AutoCloseable {

		private static final Duration NEVER = Duration.ofDays(100_000);

		private final List<Duration> received = new CopyOnWriteArrayList<>();

		private WakeSubscription subscription = () -> {
		};

		@Override
		public void wake(Duration in) {
			this.received.add(in);
		}

		private static boolean isNever(Duration in) {
			return in.compareTo(NEVER.dividedBy(2)) > 0;
		}

		private void assertSeconds(long... seconds) {
			await().untilAsserted(
					() -> assertThat(this.received.stream().filter((in) -> !isNever(in)).map(Duration::toSeconds))
						.containsExactlyElementsOf(LongStream.of(seconds).boxed().toList()));
		}

		@Override
		public void close() {
			this.subscription.close();
		}

	}

}
