package io.github.delayqueue.journal;

import java.time.Duration;
import java.time.Instant;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.Generation;
import io.github.delayqueue.store.NewTask;

/**
 * A task whose row was written just now.
 *
 * @param task the task as it was given
 * @param generation that of its row
 * @param dueMillis when it is due, as the row says
 * @param since when the caller came with it: a delay counts from there, by the clock of
 * the store
 */
record FreshTask(NewTask task, long generation, long dueMillis, Instant since) {

	/** What the store is given now: it keeps what it has of a later generation. */
	NewTask toHandOver(Instant now) {
		return new NewTask(this.task.id(), Generation.mark(this.task.envelope(), this.generation), remaining(now),
				this.task.priority(), DuplicatePolicy.NEWER, this.task.generated());
	}

	/** What is left of a delay; a clock that was set back makes it no longer. */
	DueTime remaining(Instant now) {
		DueTime due = this.task.due();
		return (due.relative() && now.isAfter(this.since))
				? DueTime.in(Duration.ofMillis(due.millis()).minus(Duration.between(this.since, now))) : due;
	}

}
