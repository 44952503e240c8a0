package io.github.delayqueue.listener;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.store.FlowLimits;
import io.github.delayqueue.store.Retention;
import io.github.delayqueue.store.TaskStore;

/**
 * What the application configures for the consumers of one queue: what listeners do not
 * set, and what concerns the queue as a whole. For wiring.
 *
 * @param listener defaults for what listeners do not set
 * @param retention what is kept of tasks that are over
 * @param expiresAfter overdue by more than this a task dies instead of running,
 * {@code null} for never
 * @param pollInterval how long a container waits at most between claims
 * @param claimLimit how many tasks a claim takes at most
 * @param limits what the consumers of all instances may do together
 */
public record QueueSettings(ListenerOptions listener, Retention retention, @Nullable Duration expiresAfter,
		Duration pollInterval, int claimLimit, FlowLimits limits) {

	public QueueSettings {
		if (pollInterval.isNegative() || pollInterval.isZero()) {
			throw new DelayQueueException(null, null, "poll-interval must be longer than zero, but is " + pollInterval);
		}
		if (claimLimit < 1 || claimLimit > TaskStore.MAX_BATCH) {
			throw new DelayQueueException(null, null,
					"claim-limit must be 1 to " + TaskStore.MAX_BATCH + ", but is " + claimLimit);
		}
	}

	/**
	 * Settings of a queue whose instances are not limited together.
	 * @param listener defaults for what listeners do not set
	 * @param retention what is kept of tasks that are over
	 * @param expiresAfter overdue by more than this a task dies instead of running,
	 * {@code null} for never
	 * @param pollInterval how long a container waits at most between claims
	 * @param claimLimit how many tasks a claim takes at most
	 */
	public QueueSettings(ListenerOptions listener, Retention retention, @Nullable Duration expiresAfter,
			Duration pollInterval, int claimLimit) {
		this(listener, retention, expiresAfter, pollInterval, claimLimit, FlowLimits.NONE);
	}

}
