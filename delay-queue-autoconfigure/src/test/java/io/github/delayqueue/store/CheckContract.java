package io.github.delayqueue.store;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.delayqueue.QueueCheck;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.TaskPriority;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static io.github.delayqueue.store.TaskStoreFixture.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Checks and repairs of queues that nobody has damaged.
 */
interface CheckContract extends TaskStoreFixture {

	@Test
	default void queueOfWhichNobodyKnowsIsClean() {
		assertThat(store().check(queue(), null, 10, null))
			.isEqualTo(new QueueCheck(null, 0, List.of(), new QueueCheck.Sums(0, 0, 0, 0, 0)));
	}

	@Test
	default void sumsAreThoseOfTheFigures() {
		arrangeEverything();
		QueueStats stats = stats();
		QueueCheck check = store().check(queue(), null, TaskStore.MAX_CHECK, null);
		assertThat(check.findings()).isEmpty();
		assertThat(check.cursor()).isNull();
		long tasks = stats.scheduled() + stats.inFlight() + stats.dead() + stats.completed();
		assertThat(check.sums())
			.isEqualTo(new QueueCheck.Sums(stats.totals().scheduled(), stats.totals().scheduled(), tasks, tasks, 0));
		assertThat(check.sums().difference()).isZero();
		assertThat(check.checked()).isGreaterThanOrEqualTo(tasks);
	}

	@Test
	default void repairFindsAndChangesNothingInAQueueThatIsWhole() {
		arrangeEverything();
		QueueStats before = stats();
		QueueCheck check = store().check(queue(), null, TaskStore.MAX_CHECK, null);
		assertThat(store().check(queue(), null, TaskStore.MAX_CHECK, bytes("why"))).isEqualTo(check);
		assertThat(stats()).isEqualTo(before);
		assertThat(settle(Settlement.complete("held", "holder", false))).isTrue();
		assertThat(found("dead").failure()).isEqualTo(bytes("failure of dead"));
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, 0, TaskStore.MAX_CHECK + 1 })
	default void limitOutOfBoundsIsRefused(int limit) {
		assertThatIllegalArgumentException().isThrownBy(() -> store().check(queue(), null, limit, null))
			.withMessageContaining("1 to " + TaskStore.MAX_CHECK);
		assertThatIllegalArgumentException().isThrownBy(() -> store().check(queue(), null, limit, new byte[1]))
			.withMessageContaining("1 to " + TaskStore.MAX_CHECK);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 7, 100, 1000 })
	default void walkLooksAtEveryTaskWhileTasksComeMoveAndGo(int limit) {
		schedule(IntStream.range(0, 300).mapToObj((i) -> task("task-" + i, SECOND)).toArray(NewTask[]::new));
		List<QueueCheck> pages = new ArrayList<>();
		String cursor = null;
		do {
			QueueCheck page = store().check(queue(), cursor, limit, null);
			pages.add(page);
			cursor = page.cursor();
			int n = pages.size();
			if (n < 300) {
				schedule(task("new-" + n, SECOND));
				store().cancel(queue(), "new-" + (n - 1));
				store().reschedule(queue(), "task-" + n, DueTime.in(TTR));
			}
		}
		while (cursor != null);
		assertThat(pages).allMatch(QueueCheck::isClean).allMatch((page) -> page.sums().difference() == 0);
		assertThat(pages).hasSizeGreaterThanOrEqualTo(Math.min(300 / limit, 2));
		assertThat(pages.stream().mapToLong(QueueCheck::checked).sum()).isGreaterThanOrEqualTo(300);
	}

	@Test
	default void checkDisturbsNoClaim() {
		scheduleDue("a", "b");
		store().setPaused(queue(), true);
		store().check(queue(), null, 10, null);
		assertThat(stats().paused()).isTrue();
		store().setPaused(queue(), false);
		store().check(queue(), null, 10, bytes("why"));
		assertThat(ids(claim("t1"))).containsExactly("a", "b");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "0", "nonsense", "meta:0" })
	default void cursorThatIsNoneIsRefused(String cursor) {
		assertThatIllegalArgumentException().isThrownBy(() -> store().check(queue(), cursor, 10, null))
			.withMessageContaining("cursor");
		assertThatIllegalArgumentException().isThrownBy(() -> store().check(queue(), cursor, 10, bytes("why")))
			.withMessageContaining("cursor");
	}

	private void arrangeEverything() {
		bury("dead");
		completeAndKeep("completed");
		scheduleDue("held", "expired", "retried", "gone", "cancelled");
		store().cancel(queue(), "cancelled");
		claim("holder");
		extend("expired", "holder", SECOND);
		settle(Settlement.retry("retried", "holder", SECOND, bytes("failed")));
		settle(Settlement.complete("gone", "holder", false));
		schedule(task("high", TaskPriority.HIGH, TTR), task("low", TaskPriority.LOW, TTR), task("normal", TTR),
				task("normal", TTR));
	}

}
