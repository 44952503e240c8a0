package io.github.delayqueue.faults;

import java.util.Comparator;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.event.DeliveryOutcome;

/**
 * One call of a handler for one task.
 */
final class Handling {

	/**
	 * In the order in which the task was claimed: neither count ever becomes smaller.
	 */
	static final Comparator<Handling> BY_CLAIM = Comparator
		.<Handling>comparingInt((handling) -> handling.failures + handling.leasesLost)
		.thenComparingLong((handling) -> handling.from);

	final String process;

	final TaskKey task;

	/** The call that had scheduled, or redriven, what is handled. */
	String send;

	final int failures;

	final int leasesLost;

	/** Of the server's clock, as the handler was told. */
	final long dueAt;

	/** Of the machine's clock, as all other times here. */
	final long from;

	long to = Long.MAX_VALUE;

	@Nullable HandlerOutcome outcome;

	/** How its settlement was confirmed, {@code null} if that is not known. */
	@Nullable DeliveryOutcome settled;

	long settledAt = Long.MAX_VALUE;

	@Nullable String deadReason;

	/** Whether it is clear which settlement is that of this handling. */
	boolean attributable = true;

	Handling(String process, TaskKey task, String send, int failures, int leasesLost, long dueAt, long from) {
		this.process = process;
		this.task = task;
		this.send = send;
		this.failures = failures;
		this.leasesLost = leasesLost;
		this.dueAt = dueAt;
		this.from = from;
	}

	@Override
	public String toString() {
		return "%d-%s HANDLED by %s: %s, failures %d, lost leases %d, due at %d -> %s, settled %s".formatted(this.from,
				(this.to != Long.MAX_VALUE) ? this.to : "?", this.process, this.send, this.failures, this.leasesLost,
				this.dueAt, this.outcome, (this.settled != null) ? this.settled + " at " + this.settledAt : "?");
	}

}
