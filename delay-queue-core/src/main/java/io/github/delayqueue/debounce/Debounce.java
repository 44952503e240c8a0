package io.github.delayqueue.debounce;

import java.time.Duration;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.Names;
import io.github.delayqueue.roles.Generation;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.TaskPart;

/**
 * Of many tasks with one id in a short time, run the last, instead of after a delay or at
 * an instant: <pre>{@code
 * TaskRequest.queue("reindex").id("42").with(Debounce.of(Duration.ofSeconds(5), Duration.ofMinutes(1)))
 * }</pre> The task is due when none has come for a while, but not later than a time after
 * the first of a burst. A burst continues with a task that replaces one of it. That one
 * waits, has never been delivered, and is due by the end of that time. Any other task
 * begins one. Both times count by the clock of Redis, with a journal by that of the
 * application. The task needs an id, does not recur, and replaces duplicates.
 *
 * @param quietMillis from the last task to the run
 * @param mostMillis from the first task of a burst to the run; it is later only if
 * consumers are busy or away
 */
public record Debounce(long quietMillis, long mostMillis) implements TaskPart {

	/**
	 * Debounce by two times.
	 * @param quiet from the last task to the run, at least a millisecond
	 * @param atMost from the first task to the run, not shorter
	 * @throws IllegalArgumentException if the first is less than a millisecond, or longer
	 * than the second
	 */
	public static Debounce of(Duration quiet, Duration atMost) {
		if (quiet.compareTo(Duration.ofMillis(1)) < 0) {
			throw new IllegalArgumentException(
					"quiet of debounce must be at least a millisecond, is " + Names.printable(quiet));
		}
		if (atMost.compareTo(quiet) < 0) {
			throw new IllegalArgumentException("atMost of debounce must not be shorter than quiet, "
					+ Names.printable(quiet) + ", is " + Names.printable(atMost));
		}
		return new Debounce(DueTime.in(quiet).millis(), DueTime.in(atMost).millis());
	}

	@Override
	public String name() {
		return "debounce";
	}

	@Override
	public String argument() {
		return "<" + this.mostMillis;
	}

	@Override
	public DueTime due() {
		return new DueTime(true, this.quietMillis);
	}

	@Override
	public Debounce after(long passed) {
		return new Debounce(Math.max(0, this.quietMillis - passed), Math.max(0, this.mostMillis - passed));
	}

	@Override
	public @Nullable String objection(boolean named, Replacement onDuplicate, byte @Nullable [] envelope) {
		if (!named) {
			return "needs an id: what is put off is the task with the same id";
		}
		if (onDuplicate != Replacement.REPLACE) {
			return "replaces the task with the same id: onDuplicate must be REPLACE, is " + onDuplicate;
		}
		return (envelope != null && !Generation.isMarkable(envelope)) ? "needs an envelope that is a JSON object"
				: null;
	}

	@Override
	public StoredAs place(StoredAs task, @Nullable StoredAs waiting, long nowMicros) {
		long limit = limitMillis(nowMicros,
				(waiting != null) ? DueLimit.of(waiting.envelope(), waiting.dueMillis()) : OptionalLong.empty());
		return new StoredAs(DueLimit.mark(task.envelope(), limit), Math.min(task.dueMillis(), limit));
	}

	/**
	 * Until when a task that comes at the given time can be put off.
	 * @param nowMicros the store's clock, in microseconds since the epoch
	 * @param goesOn the limit of the burst that it comes to, empty if it begins one
	 * @return milliseconds since the epoch
	 */
	public long limitMillis(long nowMicros, OptionalLong goesOn) {
		return goesOn.orElseGet(
				() -> Math.min(Math.floorDiv(nowMicros + 999, 1000) + this.mostMillis, DueTime.MAX_EPOCH_MILLIS));
	}

}
