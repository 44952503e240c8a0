package io.github.delayqueue.benchmark;

import java.time.Instant;

/**
 * A task to be scheduled.
 *
 * @param id unique, 18 letters and digits, as long as those that the delay queue
 * generates
 * @param payload what the handler gets; a system writes it as JSON, see {@link Payloads}
 */
public record BenchTask(String id, Payload payload) {

	/**
	 * When the task is due, by the clock of this machine, which is the clock of its
	 * servers as well.
	 * @return milliseconds since the epoch
	 */
	public long dueAtMillis() {
		return this.payload.dueAt();
	}

	public Instant dueAt() {
		return Instant.ofEpochMilli(dueAtMillis());
	}

	/**
	 * How long until the task is due, for systems that are told a delay. Rounded so that
	 * the task is not due earlier.
	 * @return milliseconds, zero if it is due already
	 */
	public long delayMillis() {
		return Math.max(0, dueAtMillis() - System.currentTimeMillis() + 1);
	}

}
