package io.github.delayqueue.convert;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.Recurrence;

/**
 * Settings of a single task. They are in its envelope, and take precedence over those of
 * listener, queue and application.
 *
 * @param leaseDuration how long a lease on it lasts, {@code null} for the listener's
 * @param maxAttempts how often its handler may fail, {@code null} for the listener's
 * @param retryDelays delays between attempts, {@code null} for the listener's
 * @param expiresAfter overdue by more than this it is not run: it dies, or waits for its
 * next time; {@code null} for the queue's
 * @param recurrence when it is run again, {@code null} if it is run once
 */
public record TaskOptions(@Nullable Duration leaseDuration, @Nullable Integer maxAttempts,
		@Nullable List<Duration> retryDelays, @Nullable Duration expiresAfter, @Nullable Recurrence recurrence) {

	/** Most delays between attempts. */
	public static final int MAX_RETRY_DELAYS = 100;

	/** Nothing set. */
	public static final TaskOptions NONE = new TaskOptions(null, null, null, null, null);

	public TaskOptions {
		retryDelays = (retryDelays != null) ? List.copyOf(retryDelays) : null;
	}

	/** Whether nothing is set. */
	boolean isNone() {
		return this.leaseDuration == null && this.maxAttempts == null && this.retryDelays == null
				&& this.expiresAfter == null && this.recurrence == null;
	}

	/** The same with another recurrence, {@code null} if the task is run once. */
	public TaskOptions withRecurrence(@Nullable Recurrence recurrence) {
		return new TaskOptions(this.leaseDuration, this.maxAttempts, this.retryDelays, this.expiresAfter, recurrence);
	}

}
