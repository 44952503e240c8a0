package io.github.delayqueue.store.memory;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.store.FlowLimits;
import io.github.delayqueue.store.RateLimit;

/**
 * What is remembered of one queue because of limits on what its consumers may do
 * together.
 * <p>
 * Permits come in since a time, one in each interval; taking them moves that time. If it
 * lies ahead, the clock has been set back: there is one permit then, so that nothing
 * stands still.
 */
final class Flow {

	private static final Duration LONGEST_WAIT = Duration.ofDays(1);

	/** Rest of who took the last permit. */
	private static final Duration PAUSE = Duration.ofMillis(5);

	/** Rest of who found no permit, and leaves the next ones to the others. */
	private static final Duration AWAY = Duration.ofMillis(50);

	private final TaskTable table;

	private final @Nullable DueOrder order;

	/** In microseconds. */
	private long since;

	/** Whether a claim could not take what was due because too much was in flight. */
	private boolean full;

	private boolean heldBack;

	Flow(TaskTable table, @Nullable DueOrder order) {
		this.table = table;
		this.order = order;
	}

	/** What the limits leave for a claim. */
	Gate gate(FlowLimits limits, StepTime now) {
		return new Gate(limits, now);
	}

	/** How due tasks are chosen, {@code null} for in the usual way. */
	@Nullable DueOrder order() {
		return this.order;
	}

	/** Whether some of what is due has to wait for a delivery to end. */
	boolean holdsBack() {
		return this.heldBack;
	}

	/** From when on some of that need not wait, if no delivery ends before. */
	long moreFrom() {
		Instant next = (this.order != null && this.heldBack) ? this.order.next() : null;
		return (next != null) ? next.toEpochMilli() : TaskTable.NEVER;
	}

	void setHoldsBack(boolean heldBack) {
		this.heldBack = heldBack;
		this.full |= heldBack;
	}

	/** A task waits that may not have to. */
	void mayTake() {
		if (this.heldBack) {
			makeRoom();
		}
	}

	/** A delivery has ended. */
	void makeRoom() {
		this.full = false;
		this.heldBack = false;
	}

	boolean isFull() {
		return this.full;
	}

	/** What one claim may take. */
	final class Gate {

		private final @Nullable RateLimit rate;

		private final StepTime now;

		private long free = Long.MAX_VALUE;

		private long permits = Long.MAX_VALUE;

		private long permitsSince;

		private boolean took;

		private Gate(FlowLimits limits, StepTime now) {
			this.rate = limits.rate();
			this.now = now;
			if (limits.inFlight() != null) {
				this.free = limits.inFlight() - inFlight();
			}
			if (this.rate != null) {
				this.permitsSince = permitsSince(this.rate);
				this.permits = (now.micros() - this.permitsSince) * this.rate.tasks() / micros(this.rate.period());
			}
		}

		private long inFlight() {
			return Flow.this.table.size(TaskState.IN_FLIGHT)
					- Flow.this.table.reached(TaskState.IN_FLIGHT, this.now.millis(), Long.MAX_VALUE).count();
		}

		private long permitsSince(RateLimit rate) {
			long before = this.now.micros() - microsFor(1, rate);
			return (Flow.this.since > this.now.micros()) ? before
					: Math.max(Flow.this.since, before - micros(RateLimit.SAVED));
		}

		/** How many of the tasks that are wanted may be taken. */
		int most(int wanted) {
			return (int) Math.max(0, Math.min(wanted, Math.min(this.free, this.permits)));
		}

		void take(int count) {
			this.free -= count;
			this.permits -= count;
			this.took = count > 0;
			if (this.rate != null && count > 0) {
				this.permitsSince += microsFor(count, this.rate);
				Flow.this.since = this.permitsSince;
			}
		}

		/** After what time a claim is worth making if that is when the next event is. */
		Duration wakeIn(long next) {
			long latest = this.now.millisAfter(LONGEST_WAIT);
			Duration wakeIn = this.now.until(Math.min(next, latest));
			if (wakeIn.isZero() && this.free <= 0) {
				Flow.this.full = true;
				long held = Flow.this.table.earliest(TaskState.IN_FLIGHT, this.now.millis() + 1);
				wakeIn = (held != TaskTable.NEVER) ? this.now.until(Math.min(held, latest)) : Duration.ZERO;
			}
			if (this.rate != null && this.permits <= 0) {
				long micros = this.permitsSince + microsFor(1, this.rate) - this.now.micros();
				wakeIn = Collections
					.max(List.of(wakeIn, this.took ? PAUSE : AWAY, Duration.of(micros, ChronoUnit.MICROS)));
			}
			return Collections.min(List.of(wakeIn, LONGEST_WAIT));
		}

		/** How long so many permits take to come in, rounded up. */
		private static long microsFor(int count, RateLimit rate) {
			return Math.floorDiv(count * micros(rate.period()) + rate.tasks() - 1, (long) rate.tasks());
		}

		private static long micros(Duration duration) {
			return duration.toMillis() * 1000;
		}

	}

}
