package io.github.delayqueue.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.QueueStats.Totals;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.testsupport.MutableClock;

import static io.github.delayqueue.fixtures.Tasks.bytes;

/**
 * A store under test, a queue of it for one test, and what the parts of the contract need
 * to speak to them.
 */
public interface TaskStoreFixture {

	/** What the clock shows when a test begins. */
	Instant START = Instant.parse("2026-01-01T00:00:00Z");

	Duration TTR = Duration.ofSeconds(30);

	Duration SECOND = Duration.ofSeconds(1);

	/** Keeps completed tasks for an hour, dead ones for ever. */
	Retention KEEP = new Retention(Duration.ofHours(1), null, null);

	/**
	 * The store under test.
	 * @return the same one during a test
	 */
	TaskStore store();

	/**
	 * The clock that the store under test reads. Every test begins at {@link #START}.
	 * @return the same one during a test
	 */
	MutableClock clock();

	/**
	 * The queue of this test.
	 * @return a name that no other test uses
	 */
	String queue();

	default void advance(Duration by) {
		clock().advance(by);
	}

	default Instant now() {
		return clock().instant();
	}

	default NewTask task(String id, Duration delay) {
		return task(id, TaskPriority.NORMAL, delay);
	}

	default NewTask task(String id, TaskPriority priority, Duration delay) {
		return new NewTask(id, bytes(id), DueTime.in(delay), priority, DuplicatePolicy.REPLACE);
	}

	default List<ScheduleOutcome> schedule(NewTask... tasks) {
		return store().schedule(queue(), List.of(tasks));
	}

	default void scheduleDue(String... ids) {
		schedule(Stream.of(ids).map((id) -> task(id, Duration.ZERO)).toArray(NewTask[]::new));
	}

	default ClaimResult claim(String token) {
		return claim(token, 100);
	}

	default ClaimResult claim(String token, int limit) {
		return claim(token, limit, KEEP);
	}

	default ClaimResult claim(String token, int limit, Retention retention) {
		return store().claim(queue(),
				new ClaimRequest(token, limit, limit, TTR, ClaimRequest.DEFAULT_MAX_BYTES, false, retention));
	}

	default boolean settle(Settlement settlement) {
		return store().settle(queue(), List.of(settlement)).get(0);
	}

	default boolean extend(String id, String token, Duration ttr) {
		return store().extend(queue(), List.of(new Extension(id, token, ttr))).get(0);
	}

	/**
	 * Have tasks claimed and buried, one second after the other.
	 * @param ids the tasks
	 */
	default void bury(String... ids) {
		for (String id : ids) {
			scheduleDue(id);
			claim("bury");
			settle(Settlement.bury(id, "bury", true, bytes("failure of " + id)));
			advance(SECOND);
		}
	}

	/**
	 * Have tasks claimed, completed and kept, one second after the other.
	 * @param ids the tasks
	 */
	default void completeAndKeep(String... ids) {
		for (String id : ids) {
			scheduleDue(id);
			claim("complete");
			settle(Settlement.complete(id, "complete", true));
			advance(SECOND);
		}
	}

	default StoredTask found(String id) {
		return store().find(queue(), id).orElseThrow(() -> new AssertionError("No task '" + id + "'"));
	}

	default List<String> listed(TaskState state) {
		return store().list(queue(), state, 0, TaskStore.MAX_BATCH).stream().map(StoredTask::id).toList();
	}

	default QueueStats stats() {
		return store().stats(queue());
	}

	default Totals totals() {
		return stats().totals();
	}

	static List<String> ids(ClaimResult result) {
		return result.tasks().stream().map(ClaimedRecord::id).toList();
	}

}
