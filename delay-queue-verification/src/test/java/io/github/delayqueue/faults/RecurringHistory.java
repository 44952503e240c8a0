package io.github.delayqueue.faults;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * What happened to one recurring task.
 */
final class RecurringHistory {

	final String id;

	/** When it was first due, in milliseconds since the epoch. */
	long first;

	/** From one time to the next, in milliseconds. */
	long period;

	/** Whether runs that were missed are skipped. */
	boolean skips;

	final List<Run> runs = new ArrayList<>();

	/** When it was cancelled. */
	long overAt = Long.MAX_VALUE;

	/** Whether it was there until then. */
	boolean wasThere;

	RecurringHistory(String id) {
		this.id = id;
	}

	@Override
	public String toString() {
		return this.runs.stream()
			.sorted(Run.BY_CLAIM)
			.map((run) -> "    " + run)
			.collect(Collectors.joining("\n", this.id + " every " + this.period + " from " + this.first + "\n", ""));
	}

	/**
	 * One call of the handler.
	 */
	static final class Run {

		/** In the order in which they were claimed: neither count becomes smaller. */
		static final Comparator<Run> BY_CLAIM = Comparator.<Run>comparingLong((run) -> run.runAt)
			.thenComparingInt((run) -> run.failures)
			.thenComparingInt((run) -> run.leasesLost)
			.thenComparingLong((run) -> run.from);

		final String process;

		/** For which time it is, as the handler was told. */
		final long runAt;

		/** Of the server's clock, as the handler was told. */
		final long dueAt;

		final int failures;

		final int leasesLost;

		/** Of the machine's clock. */
		final long from;

		long to = Long.MAX_VALUE;

		@Nullable HandlerOutcome outcome;

		Run(String process, long runAt, long dueAt, int failures, int leasesLost, long from) {
			this.process = process;
			this.runAt = runAt;
			this.dueAt = dueAt;
			this.failures = failures;
			this.leasesLost = leasesLost;
			this.from = from;
		}

		@Override
		public String toString() {
			return "%d-%s RUN by %s for %d: due at %d, failures %d, lost leases %d -> %s".formatted(this.from,
					(this.to != Long.MAX_VALUE) ? this.to : "?", this.process, this.runAt, this.dueAt, this.failures,
					this.leasesLost, this.outcome);
		}

	}

}
