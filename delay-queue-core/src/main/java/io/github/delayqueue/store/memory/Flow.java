package io.github.delayqueue.store.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.limits.GlobalConcurrency;
import io.github.delayqueue.limits.RateLimit;
import io.github.delayqueue.store.ClaimPart;
import io.github.delayqueue.store.ClaimTerms;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of one queue because its consumers are limited, and who waits for
 * the end of a delivery.
 */
final class Flow {

	private static final Duration LONGEST_WAIT = Duration.ofDays(1);

	private final TaskTable table;

	private final @Nullable DueOrder order;

	/** By a part of the terms of claims. */
	private long noted;

	/** Whether a claim could not take what was due because too much was in flight. */
	private boolean full;

	private boolean heldBack;

	Flow(TaskTable table, @Nullable DueOrder order) {
		this.table = table;
		this.order = order;
	}

	/** A claim on terms, which have parts that it has to keep to. */
	Gates gates(ClaimTerms terms, StepTime now) {
		return new Gates(terms.parts(), now);
	}

	/** A line for each kind of part, so that it can be left out. */
	private static Gate gate(ClaimPart part) {
		Gate gate = null;
		gate = (part instanceof RateLimit rate) ? new RateGate(rate) : gate;
		gate = (part instanceof GlobalConcurrency limit) ? new ConcurrencyGate(limit) : gate;
		return Objects.requireNonNull(gate, () -> "There is no " + part.name() + " in memory");
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

	/** What one claim may take, as the parts of its terms allow, and what these see. */
	final class Gates implements Gate.ClaimedQueue {

		private final List<Gate> parts;

		private final StepTime now;

		private boolean took;

		private Gates(List<ClaimPart> parts, StepTime now) {
			this.parts = parts.stream().map(Flow::gate).toList();
			this.now = now;
		}

		/** How many of the tasks that are wanted may be taken. */
		int most(int wanted) {
			long most = wanted;
			for (Gate part : this.parts) {
				most = Math.min(most, part.left(this));
			}
			return (int) Math.max(0, most);
		}

		void take(int count) {
			this.took = count > 0;
			if (this.took) {
				this.parts.forEach((part) -> part.take(this, count));
			}
		}

		/** After what time a claim is worth making if that is when the next event is. */
		Duration wakeIn(long next) {
			Duration wakeIn = untilOrADay(next);
			for (Gate part : this.parts) {
				wakeIn = part.wakeIn(this, this.took, wakeIn);
			}
			return Collections.min(List.of(wakeIn, LONGEST_WAIT));
		}

		private Duration untilOrADay(long at) {
			return this.now.until(Math.min(at, this.now.millisAfter(LONGEST_WAIT)));
		}

		@Override
		public long micros() {
			return this.now.micros();
		}

		@Override
		public long inFlight() {
			return Flow.this.table.size(TaskState.IN_FLIGHT)
					- Flow.this.table.reached(TaskState.IN_FLIGHT, this.now.millis(), Long.MAX_VALUE).count();
		}

		@Override
		public Duration waitForDelivery() {
			Flow.this.full = true;
			long held = Flow.this.table.earliest(TaskState.IN_FLIGHT, this.now.millis() + 1);
			return (held != TaskTable.NEVER) ? untilOrADay(held) : Duration.ZERO;
		}

		@Override
		public long noted() {
			return Flow.this.noted;
		}

		@Override
		public void note(long value) {
			Flow.this.noted = value;
		}

	}

}
