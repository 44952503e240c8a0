package io.github.delayqueue.simulation;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.roles.Epoch;
import io.github.delayqueue.simulation.Timeline.Strand;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimedRecord;

/**
 * A call of the store that is under way.
 */
final class StoreCall {

	private final Instance caller;

	private final Strand strand;

	private final String what;

	private final @Nullable String queue;

	private final boolean claim;

	/** How often it is still to be carried out. */
	private int copies;

	private final long sentAt;

	private final Supplier<?> step;

	private @Nullable Object result;

	private @Nullable RuntimeException error;

	private @Nullable String trouble = "Redis did not answer in time";

	private boolean carriedOut;

	private boolean refused;

	/** Nobody waits for it any more. */
	private boolean over;

	/**
	 * Make a call.
	 * @param copies how often it is sent: again where the answer got lost
	 */
	StoreCall(Instance caller, String what, @Nullable String queue, boolean claim, int copies, Supplier<?> step) {
		this.caller = caller;
		this.strand = caller.timeline().current();
		this.what = what;
		this.queue = queue;
		this.claim = claim;
		this.copies = copies;
		this.sentAt = caller.timeline().now();
		this.step = step;
	}

	Instance caller() {
		return this.caller;
	}

	boolean isClaim() {
		return this.claim;
	}

	Duration age() {
		return Duration.ofNanos(this.caller.timeline().now() - this.sentAt);
	}

	/** What it was, and what it brought, for people. */
	String description() {
		return this.what + " " + this.queue + " " + brought();
	}

	private @Nullable Object brought() {
		if (this.result instanceof ClaimResult claimed) {
			return claimed.tasks().stream().map(ClaimedRecord::id).toList();
		}
		if (this.result instanceof Epoch epoch) {
			// its name is another one in each run
			return epoch.beat();
		}
		if (this.result instanceof List<?> answers) {
			// some are in the order of a set of objects
			return answers.stream().map(String::valueOf).sorted().toList();
		}
		return (this.result instanceof Optional<?>) ? "" : this.result;
	}

	/**
	 * The store carries it out.
	 * @return whether it is the last time, whose answer arrives
	 */
	boolean carryOut() {
		this.carriedOut = true;
		this.copies--;
		this.result = null;
		this.error = null;
		try {
			this.result = this.step.get();
		}
		catch (RuntimeException ex) {
			this.error = ex;
		}
		return this.copies == 0;
	}

	boolean isRefused() {
		return this.refused;
	}

	/** The store says that it does not carry it out. */
	void refuse(Duration in) {
		this.refused = true;
		if (!this.carriedOut) {
			this.error = new StoreUnavailableException(this.queue, null,
					"Redis refuses all calls (a fault of the simulation)", null);
			answer(in);
		}
	}

	/** Whether it has taken tasks. */
	boolean hasTaken() {
		return this.result instanceof ClaimResult claimed && !claimed.tasks().isEmpty();
	}

	void answer(Duration in) {
		if (!this.over) {
			this.trouble = null;
			this.caller.timeline().wake(this.strand, in);
		}
	}

	/** The connection breaks: who waits is told at once that nobody knows. */
	void breakOff() {
		if (!this.over) {
			this.trouble = "the connection to Redis broke";
			this.caller.timeline().wake(this.strand, Duration.ZERO);
		}
	}

	/** Wait for the answer. */
	@Nullable Object await(Duration timeout) {
		try {
			this.caller.timeline().sleep(timeout);
		}
		finally {
			this.over = true;
		}
		if (this.trouble != null) {
			throw new StoreUnavailableException(this.queue, null,
					this.trouble + "; it may or may not have been done (a fault of the simulation)", null);
		}
		if (this.error != null) {
			throw this.error;
		}
		return this.result;
	}

}
