package io.github.delayqueue.producer;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.store.FlowLimits;
import io.github.delayqueue.store.Retention;

/**
 * What the application configures for those who schedule into a queue, and who claim from
 * it by hand. For wiring.
 *
 * @param maxPayloadBytes how large a payload may be as JSON in UTF-8, in bytes, at least
 * 1
 * @param retention what is kept of tasks that are over
 * @param expiresAfter overdue by more than this a task dies when it is claimed by hand,
 * {@code null} for never
 * @param minReplicas how many replicas are to have a task before scheduling it returns,
 * zero for not waiting
 * @param limits what those who claim, by hand or not, may do together in all instances
 * @param maxExpiries how many leases a task may lose before it dies, claimed by hand or
 * not, at least 1
 */
public record ProducerSettings(long maxPayloadBytes, Retention retention, @Nullable Duration expiresAfter,
		int minReplicas, FlowLimits limits, int maxExpiries) {

	private static final int DEFAULT_MAX_EXPIRIES = 5;

	public ProducerSettings {
		if (maxPayloadBytes < 1) {
			throw new DelayQueueException(null, null,
					"delay-queue.producer.max-payload-size must be at least 1 byte, but is " + maxPayloadBytes);
		}
		if (minReplicas < 0) {
			throw new DelayQueueException(null, null,
					"delay-queue.producer.min-replicas must not be negative, but is " + minReplicas);
		}
		if (maxExpiries < 1) {
			throw new DelayQueueException(null, null,
					"delay-queue.retry.max-expiries must be at least 1, but is " + maxExpiries);
		}
	}

	/**
	 * Settings of a queue whose tasks may lose five leases.
	 * @param maxPayloadBytes how large a payload may be as JSON in UTF-8, in bytes
	 * @param retention what is kept of tasks that are over
	 * @param expiresAfter overdue by more than this a task dies when it is claimed by
	 * hand, {@code null} for never
	 * @param minReplicas how many replicas are to have a task before scheduling it
	 * returns
	 * @param limits what those who claim may do together in all instances
	 */
	public ProducerSettings(long maxPayloadBytes, Retention retention, @Nullable Duration expiresAfter, int minReplicas,
			FlowLimits limits) {
		this(maxPayloadBytes, retention, expiresAfter, minReplicas, limits, DEFAULT_MAX_EXPIRIES);
	}

	/**
	 * Settings of a queue whose instances are not limited together.
	 * @param maxPayloadBytes how large a payload may be as JSON in UTF-8, in bytes
	 * @param retention what is kept of tasks that are over
	 * @param expiresAfter overdue by more than this a task dies when it is claimed by
	 * hand, {@code null} for never
	 * @param minReplicas how many replicas are to have a task before scheduling it
	 * returns
	 */
	public ProducerSettings(long maxPayloadBytes, Retention retention, @Nullable Duration expiresAfter,
			int minReplicas) {
		this(maxPayloadBytes, retention, expiresAfter, minReplicas, FlowLimits.NONE);
	}

	/**
	 * Settings of a queue without waiting for replicas.
	 * @param maxPayloadBytes how large a payload may be as JSON in UTF-8, in bytes
	 * @param retention what is kept of tasks that are over
	 * @param expiresAfter overdue by more than this a task dies when it is claimed by
	 * hand, {@code null} for never
	 */
	public ProducerSettings(long maxPayloadBytes, Retention retention, @Nullable Duration expiresAfter) {
		this(maxPayloadBytes, retention, expiresAfter, 0);
	}

	/**
	 * Settings of a queue whose tasks do not expire.
	 * @param maxPayloadBytes how large a payload may be as JSON in UTF-8, in bytes
	 * @param retention what is kept of tasks that are over
	 */
	public ProducerSettings(long maxPayloadBytes, Retention retention) {
		this(maxPayloadBytes, retention, null);
	}

}
