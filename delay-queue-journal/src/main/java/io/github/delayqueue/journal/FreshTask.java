package io.github.delayqueue.journal;

import java.time.Duration;
import java.time.Instant;

import io.github.delayqueue.roles.Generation;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;

/** A task as it was written just now, and what became of it. */
record FreshTask(Arrival arrival, WriteResult result) {

	/** The store keeps what it has of a later generation. */
	NewTask toHandOver(Instant now) {
		NewTask task = this.arrival.task();
		return new NewTask(task.id(), Generation.mark(task.envelope(), this.result.generation()), remaining(now),
				task.priority(), Replacement.NEWER, task.generated());
	}

	/** What is left of a delay; a clock that was set back makes it no longer. */
	DueTime remaining(Instant now) {
		DueTime due = this.arrival.task().due();
		Instant since = this.arrival.since();
		return (due.relative() && now.isAfter(since))
				? DueTime.in(Duration.ofMillis(due.millis()).minus(Duration.between(since, now))) : due;
	}

}
