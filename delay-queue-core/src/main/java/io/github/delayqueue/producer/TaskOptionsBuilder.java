package io.github.delayqueue.producer;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.Recurrence;
import io.github.delayqueue.Recurrence.OnMissed;
import io.github.delayqueue.convert.TaskOptions;

/**
 * Collects what a task sets for itself of what its listener or queue says otherwise. Not
 * thread-safe.
 *
 * @param <B> the builder it is a part of
 */
abstract class TaskOptionsBuilder<B extends TaskOptionsBuilder<B>> {

	final String queue;

	@Nullable String id;

	@Nullable Recurrence recurrence;

	private @Nullable Duration leaseDuration;

	private @Nullable Integer maxAttempts;

	private @Nullable List<Duration> retryDelays;

	private @Nullable Duration expiresAfter;

	private @Nullable OnMissed onMissed;

	TaskOptionsBuilder(String queue) {
		this.queue = queue;
	}

	@SuppressWarnings("unchecked")
	private B self() {
		return (B) this;
	}

	/**
	 * How long a lease on this task lasts, at least a millisecond. Default: as the
	 * listener says.
	 */
	public B leaseDuration(Duration leaseDuration) {
		this.leaseDuration = requirePositive("leaseDuration", leaseDuration);
		return self();
	}

	/**
	 * How often the handler may fail on this task before it dies, at least 1. Default: as
	 * the listener says.
	 */
	public B maxAttempts(int maxAttempts) {
		if (maxAttempts < 1) {
			throw invalid("maxAttempts must be at least 1, is " + maxAttempts);
		}
		this.maxAttempts = maxAttempts;
		return self();
	}

	/**
	 * Delays between the attempts of this task. Default: as the listener says. Unless
	 * {@link #maxAttempts(int)} says otherwise there is one attempt more than delays.
	 * @param delays 1 to 100 delays, each zero or longer
	 */
	public B retryDelays(Duration... delays) {
		if (delays.length == 0 || delays.length > TaskOptions.MAX_RETRY_DELAYS) {
			throw invalid("retryDelays takes 1 to 100 delays, but got " + delays.length);
		}
		for (Duration delay : delays) {
			if (delay.isNegative()) {
				throw invalid("each of retryDelays must be zero or longer, but one is " + Names.printable(delay));
			}
		}
		this.retryDelays = List.of(delays);
		return self();
	}

	/**
	 * Overdue by more than this, which is positive and counted from the due time, the
	 * task dies instead of running; a recurring one waits for its next time. Default: as
	 * the queue says.
	 */
	public B expiresAfter(Duration expiresAfter) {
		this.expiresAfter = requirePositive("expiresAfter", expiresAfter);
		return self();
	}

	/**
	 * Run the task again and again, in fixed steps from its first time on: the end of a
	 * run schedules the next one. It needs an {@link TaskRequest.Builder#id(String)},
	 * under which it can be replaced and cancelled.
	 * @param period from the time of one run to that of the next, at least a second
	 */
	public B every(Duration period) {
		return recurrence(valid(() -> Recurrence.every(period)));
	}

	/**
	 * Run the task again and again, at the times of a cron expression. It needs an
	 * {@link TaskRequest.Builder#id(String)}, under which it can be replaced and
	 * cancelled.
	 * @param expression six fields (second, minute, hour, day, month, day of the week),
	 * as Spring's {@code @Scheduled} takes them
	 * @param zone where its times are the times of day
	 */
	public B cron(String expression, ZoneId zone) {
		return recurrence(valid(() -> Recurrence.cron(expression, zone)));
	}

	/**
	 * Run the task again and again.
	 * @param recurrence when; one with a {@linkplain Recurrence#from(Instant) first time}
	 * keeps it, whatever the task's own first time is
	 */
	public B recurrence(Recurrence recurrence) {
		if (this.recurrence != null) {
			throw invalid("it can recur in one way only, every or cron, and already does: " + this.recurrence);
		}
		this.recurrence = Objects.requireNonNull(recurrence, "recurrence must not be null");
		return self();
	}

	/**
	 * What becomes of runs of a recurring task for which nobody was there: they are made
	 * up for, together, or skipped. Default: {@link OnMissed#ONCE}.
	 */
	public B onMissed(OnMissed onMissed) {
		this.onMissed = Objects.requireNonNull(onMissed, "onMissed must not be null");
		return self();
	}

	<V> V valid(Supplier<V> value) {
		try {
			return value.get();
		}
		catch (IllegalArgumentException ex) {
			throw invalid(String.valueOf(ex.getMessage()));
		}
	}

	TaskOptions options() {
		Recurrence recurrence = this.recurrence;
		if (recurrence == null && this.onMissed != null) {
			throw invalid("onMissed is for recurring tasks: set every or cron as well");
		}
		if (recurrence != null && this.id == null) {
			throw invalid("a recurring task needs an id: with a generated one, each start of the application "
					+ "would add another task that you cannot cancel");
		}
		return new TaskOptions(this.leaseDuration, this.maxAttempts, this.retryDelays, this.expiresAfter,
				(recurrence != null && this.onMissed != null) ? recurrence.onMissed(this.onMissed) : recurrence);
	}

	Duration requirePositive(String name, Duration value) {
		if (value.compareTo(Duration.ofMillis(1)) < 0) {
			throw invalid(name + " must be at least a millisecond, is " + Names.printable(value));
		}
		return value;
	}

	DelayQueueException invalid(String message) {
		return new DelayQueueException(this.queue, this.id, "Task for queue '" + this.queue + "': " + message);
	}

}
