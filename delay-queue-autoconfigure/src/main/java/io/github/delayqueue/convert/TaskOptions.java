package io.github.delayqueue.convert;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What a single task sets for itself; it travels in its envelope and takes precedence
 * over everything a listener, a queue or the application configures.
 *
 * @param ttr how long a lease on it lasts, {@code null} for the listener's
 * @param maxAttempts how often its handler may fail, {@code null} for the listener's
 * @param retryDelays delays between attempts, {@code null} for the listener's
 * @param expiresAfter overdue by more than this it dies instead of running, {@code null}
 * for the queue's
 */
public record TaskOptions(@Nullable Duration ttr, @Nullable Integer maxAttempts, @Nullable List<Duration> retryDelays,
		@Nullable Duration expiresAfter) {

	/** Nothing set. */
	public static final TaskOptions NONE = new TaskOptions(null, null, null, null);

	public TaskOptions {
		retryDelays = (retryDelays != null) ? List.copyOf(retryDelays) : null;
	}

}
