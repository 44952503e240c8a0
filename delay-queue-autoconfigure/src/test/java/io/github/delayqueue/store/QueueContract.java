package io.github.delayqueue.store;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.QueueStats.Delays;
import io.github.delayqueue.QueueStats.Totals;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static io.github.delayqueue.store.TaskStoreFixture.ids;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Queues as a whole: figures, pause, clearing, names, and that they do not meet.
 */
interface QueueContract extends TaskStoreFixture {

	@Test
	default void onlyAQueueWithoutTasksIsForgotten() {
		store().announce(queue());
		scheduleDue("a", "b");
		claim("t");
		assertThat(store().forget(queue())).isFalse();
		settle(Settlement.bury("a", "t", true, bytes("failure")));
		settle(Settlement.complete("b", "t", true));
		assertThat(store().forget(queue())).isFalse();
		assertThat(store().queues()).contains(queue());
		assertThat(totals().scheduled()).isEqualTo(2);
		store().purge(queue(), TaskState.DEAD, 10);
		store().purge(queue(), TaskState.COMPLETED, 10);
		store().setPaused(queue(), true);
		assertThat(store().forget(queue())).isTrue();
		assertThat(store().queues()).doesNotContain(queue());
		assertThat(stats().paused()).isFalse();
		assertThat(totals().scheduled()).isZero();
		assertThat(store().forget(queue())).isTrue();
		scheduleDue("c");
		assertThat(TaskStoreFixture.ids(claim("u"))).containsExactly("c");
	}

	@Test
	default void figuresOfAnUnknownQueueAreZero() {
		assertThat(ofOnePartition(stats())).isEqualTo(new QueueStats(0, 0, 0, 0, 0, 0, 0, Duration.ZERO, null, false,
				new Totals(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)));
	}

	@Test
	default void figuresCountEveryTaskWhereItIs() {
		scheduleDue("completed", "dead", "retried", "cancelled");
		claim("t1");
		store().settle(queue(), List.of(Settlement.complete("completed", "t1", true),
				Settlement.bury("dead", "t1", true, null), Settlement.retry("retried", "t1", SECOND, null)));
		store().cancel(queue(), "cancelled");
		scheduleDue("expired", "held");
		claim("t2");
		extend("expired", "t2", SECOND);
		settle(Settlement.complete("completed", "t1", true));
		advance(Duration.ofSeconds(4));
		scheduleDue("due");
		schedule(task("later", TaskPriority.LOW, Duration.ofHours(2)),
				task("soon", TaskPriority.HIGH, Duration.ofHours(1)));
		advance(SECOND);
		store().setPaused(queue(), true);

		QueueStats stats = stats();
		assertThat(ofOnePartition(stats)).isEqualTo(new QueueStats(4, 2, 2, 1, 1, 1, 1, Duration.ofSeconds(4),
				START.plusSeconds(4).plus(Duration.ofHours(1)), true, new Totals(9, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1)));
	}

	@Test
	default void nextDueAtIsThatOfTheEarliestTaskThatIsNotYetDue() {
		schedule(task("due", TaskPriority.HIGH, Duration.ZERO), task("next", TaskPriority.LOW, SECOND),
				task("last", Duration.ofSeconds(2)));
		assertThat(stats().nextDueAt()).isEqualTo(START.plus(SECOND));
		advance(SECOND);
		assertThat(stats().nextDueAt()).isEqualTo(START.plusSeconds(2));
		advance(SECOND);
		assertThat(stats().nextDueAt()).isNull();
		assertThat(stats().due()).isEqualTo(3);
		assertThat(stats().oldestDueAge()).isEqualTo(Duration.ofSeconds(2));
	}

	@Test
	default void delaysCountWhatIsNotDueByHowLongItHasToWait() {
		assertThat(delays()).containsExactly(0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L);
		scheduleDue("due", "in-flight");
		claim("t1", 1);
		schedule(task("1 ms", Duration.ofMillis(1)), task("999 ms", TaskPriority.HIGH, Duration.ofMillis(999)),
				task("1 s", TaskPriority.LOW, SECOND), task("1 min", Duration.ofMinutes(1)),
				task("5 min", TaskPriority.LOW, Duration.ofMinutes(5)),
				task("9 min", TaskPriority.HIGH, Duration.ofMinutes(9)), task("10 min", Duration.ofMinutes(10)),
				task("1 h", Duration.ofHours(1)), task("23 h", TaskPriority.LOW, Duration.ofHours(23)),
				task("1 d", Duration.ofDays(1)), task("2 d", Duration.ofDays(2)), task("6 d", Duration.ofDays(6)),
				task("7 d", TaskPriority.HIGH, Duration.ofDays(7)), task("years", Duration.ofDays(10_000)));
		assertThat(delays()).containsExactly(2L, 1L, 1L, 2L, 1L, 2L, 3L, 2L);
		assertThat(stats().scheduled() - stats().due()).isEqualTo(14);
		advance(Duration.ofMillis(1));
		assertThat(delays()).containsExactly(2L, 1L, 1L, 2L, 1L, 2L, 3L, 1L);
		advance(Duration.ofDays(7));
		assertThat(delays()).containsExactly(0L, 0L, 0L, 0L, 0L, 0L, 0L, 1L);
	}

	@Test
	default void boundsOfDelaysAreThoseOfTheFigures() {
		assertThat(stats().delays()).extracting(QueueStats.Delays::below)
			.containsExactly(SECOND, Duration.ofMinutes(1), Duration.ofMinutes(5), Duration.ofMinutes(10),
					Duration.ofHours(1), Duration.ofDays(1), Duration.ofDays(7), null);
	}

	@Test
	default void pauseShowsInTheFiguresAndMayBeRepeated() {
		store().setPaused(queue(), true);
		store().setPaused(queue(), true);
		assertThat(stats().paused()).isTrue();
		store().setPaused(queue(), false);
		assertThat(stats().paused()).isFalse();
		store().setPaused(queue(), false);
		assertThat(stats().paused()).isFalse();
	}

	@Test
	default void pausedQueueTakesEverythingButClaims() {
		scheduleDue("a", "b", "c");
		claim("t1");
		store().setPaused(queue(), true);
		assertThat(schedule(task("d", Duration.ZERO))).containsExactly(ScheduleOutcome.CREATED);
		assertThat(extend("a", "t1", TTR)).isTrue();
		assertThat(settle(Settlement.complete("a", "t1", false))).isTrue();
		assertThat(settle(Settlement.bury("b", "t1", true, null))).isTrue();
		assertThat(store().redrive(queue(), List.of("b"))).containsExactly(true);
		assertThat(store().reschedule(queue(), "d", DueTime.in(SECOND))).isTrue();
		assertThat(store().cancel(queue(), "c")).isTrue();
		assertThat(stats().paused()).isTrue();
	}

	@Test
	default void clearForgetsEveryTaskAndKeepsTotalsAndPause() {
		bury("dead");
		completeAndKeep("completed");
		scheduleDue("in-flight", "retried");
		claim("t1");
		settle(Settlement.retry("retried", "t1", SECOND, bytes("failed")));
		schedule(task("high", TaskPriority.HIGH, SECOND), task("low", TaskPriority.LOW, Duration.ZERO));
		store().setPaused(queue(), true);

		assertThat(store().clear(queue())).isEqualTo(5);

		assertThat(ofOnePartition(stats())).isEqualTo(new QueueStats(0, 0, 0, 0, 0, 0, 0, Duration.ZERO, null, true,
				new Totals(6, 1, 1, 1, 0, 0, 5, 0, 0, 0, 0)));
		for (TaskState state : TaskState.values()) {
			assertThat(listed(state)).as(state.name()).isEmpty();
		}
		assertThat(settle(Settlement.complete("in-flight", "t1", false))).isFalse();
		assertThat(store().clear(queue())).isZero();
	}

	@Test
	default void clearedTaskLeavesNothingForItsSuccessor() {
		bury("a");
		store().clear(queue());
		assertThat(schedule(task("a", Duration.ZERO))).containsExactly(ScheduleOutcome.CREATED);
		assertThat(found("a").failure()).isNull();
		assertThat(found("a").failures()).isZero();
		assertThat(stats().retrying()).isZero();
	}

	@Test
	default void announcedQueuesAreKnownInAlphabeticalOrder() {
		List<String> names = List.of(queue() + ".b", queue() + ".a", queue() + ":c", queue() + "-d");
		names.forEach(store()::announce);
		store().announce(names.get(0));
		assertThat(store().queues().stream().filter((name) -> name.startsWith(queue())))
			.containsExactlyElementsOf(names.stream().sorted().toList());
	}

	@Test
	default void queuesOfSimilarNamesDoNotMeet() {
		String other = queue() + ":high";
		scheduleDue("a");
		assertThat(store().schedule(other, List.of(task("a", SECOND)))).containsExactly(ScheduleOutcome.CREATED);
		assertThat(ids(claim("t1"))).containsExactly("a");
		assertThat(store().settle(other, List.of(Settlement.complete("a", "t1", false)))).containsExactly(false);
		store().setPaused(other, true);
		assertThat(claim("t2").paused()).isFalse();
		assertThat(store().clear(queue())).isOne();
		assertThat(store().find(other, "a")).map(StoredTask::state).contains(TaskState.SCHEDULED);
		assertThat(store().stats(other).totals().stale()).isOne();
		assertThat(totals().stale()).isZero();
		store().clear(other);
	}

	private List<Long> delays() {
		return stats().delays().stream().map(QueueStats.Delays::tasks).toList();
	}

	/**
	 * The figures without the number of partitions, which is not the same in all stores,
	 * and without the delays.
	 */
	private static QueueStats ofOnePartition(QueueStats stats) {
		return new QueueStats(stats.scheduled(), stats.due(), stats.inFlight(), stats.expired(), stats.retrying(),
				stats.dead(), stats.completed(), stats.stored(), stats.oldestDueAge(), stats.nextDueAt(),
				stats.paused(), stats.totals(), 1, Delays.of(new long[QueueStats.DELAY_BOUNDS.size() + 1]));
	}

}
