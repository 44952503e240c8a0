package io.github.delayqueue.journal;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.debounce.Debounce;
import io.github.delayqueue.debounce.DueLimit;
import io.github.delayqueue.roles.DueMillis;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.TaskPart;

/**
 * A task to be written.
 *
 * @param since when the caller came with it: a delay counts from there
 * @param latestMillis when it is due at the latest, even if that is past
 */
record Arrival(NewTask task, Instant since, long latestMillis) {

	Arrival(NewTask task, Instant since) {
		this(task, since, DueTime.MAX_EPOCH_MILLIS);
	}

	String taskId() {
		return this.task.id();
	}

	long dueMillis() {
		return Math.min(millis(this.task.due(), this.since), this.latestMillis);
	}

	static long millis(DueTime due, Instant since) {
		return DueMillis.of(due, micros(since));
	}

	private static long micros(Instant instant) {
		return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1000;
	}

	boolean isDelayed() {
		return this.task.due().relative();
	}

	boolean isDebounced() {
		return debounce() != null;
	}

	private @Nullable Debounce debounce() {
		for (TaskPart part : this.task.parts()) {
			if (part instanceof Debounce debounce) {
				return debounce;
			}
		}
		return null;
	}

	/**
	 * With its limit in the envelope, and due by it.
	 * @param goesOn until when the burst goes on that it comes to, empty if it begins one
	 */
	Arrival debounced(OptionalLong goesOn, Replacement onDuplicate) {
		long limit = Objects.requireNonNull(debounce()).limitMillis(micros(this.since), goesOn);
		long left = Duration.between(this.since, Instant.ofEpochMilli(limit)).toMillis();
		return new Arrival(
				new NewTask(taskId(), DueLimit.mark(this.task.envelope(), limit),
						new DueTime(true, Math.min(this.task.due().millis(), left)), this.task.priority(), onDuplicate),
				this.since, limit);
	}

	/** Whether the id was made for this task: there is no row to be looked for. */
	boolean isNew() {
		return this.task.generated() && replaces();
	}

	boolean replaces() {
		return this.task.onDuplicate() != Replacement.REJECT;
	}

	Row toRow(long generation, long checkMillis) {
		return new Row(taskId(), generation, dueMillis(), this.task.priority(), this.task.envelope(), false, null,
				checkMillis);
	}

}
