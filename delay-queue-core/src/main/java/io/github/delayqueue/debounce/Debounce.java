package io.github.delayqueue.debounce;

import java.time.Duration;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.Names;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.Generation;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.TaskPart;

/**
 * Lets a task be due after a delay, or earlier: as long after the first task of a burst
 * as others of its id may put it off. A burst goes on with a task that replaces one of
 * the same burst which waits, has never been delivered, and is due by the end of that
 * time; any other task begins one. Public for stores.
 *
 * @param quietMillis the delay
 * @param mostMillis for how long others put off the first of a burst at most
 */
public record Debounce(long quietMillis, long mostMillis) implements TaskPart {

	/**
	 * Debounce by two times.
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
