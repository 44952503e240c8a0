package io.github.delayqueue.journal;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.roles.DueMillis;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.Settlement;

/** A delivery that is to end, and how far that has come. Not thread-safe. */
final class DeliveryEnd {

	private final Settlement wanted;

	private final @Nullable Key key;

	private final boolean remembered;

	private final @Nullable DeliveryEnd earlier;

	/** The row was there for us to change, or we have deleted it before. */
	private boolean rowTaken;

	private boolean rowHeldByOthers;

	/** The task has been finished, replaced or moved meanwhile. */
	private boolean overtaken;

	private boolean applied;

	/**
	 * @param earlier how it was to end before in the same call: this is stale
	 */
	DeliveryEnd(Settlement wanted, @Nullable Key key, @Nullable Claim claim, @Nullable DeliveryEnd earlier) {
		this.wanted = wanted;
		this.key = key;
		this.remembered = claim != null;
		this.rowTaken = claim != null && claim.finished() && isHandled();
		this.earlier = earlier;
	}

	static boolean concernsRow(Settlement settlement) {
		return !(settlement.end() instanceof Settlement.Retry || settlement.end() instanceof Settlement.Release);
	}

	Settlement settlement() {
		return this.overtaken ? new Settlement(this.wanted.taskId(), this.wanted.token(), new Settlement.Drop())
				: this.wanted;
	}

	Key key() {
		return Objects.requireNonNull(this.key);
	}

	boolean isHandled() {
		return !isDeadLettered() && !isRepeated();
	}

	boolean isRepeated() {
		return this.wanted.end() instanceof Settlement.Repeat || this.wanted.end() instanceof Settlement.Skip;
	}

	boolean isDeadLettered() {
		return this.wanted.end() instanceof Settlement.DeadLetter;
	}

	/** By the clock of this instance, which is good enough for a loader. */
	long nextMillis(long nowMillis) {
		DueTime next = (this.wanted.end() instanceof Settlement.Skip skip) ? DueTime.at(skip.next())
				: ((Settlement.Repeat) this.wanted.end()).next();
		return next.relative() ? DueMillis.of(next, nowMillis * 1000) : next.millis();
	}

	/** So that it is not restored, or done again, should the process die then. */
	boolean isChangedFirst() {
		return isRowOpen() && this.remembered && !isDeadLettered();
	}

	boolean isChangedLater() {
		return isRowOpen() && !isChangedFirst();
	}

	boolean isRowOpen() {
		return this.key != null && !this.rowTaken;
	}

	void takeRow() {
		this.rowTaken = true;
	}

	/**
	 * Another holder may have handled the task: it is not to be dead then, nor repeated.
	 * What was replaced or moved while it was claimed is delivered as it is now.
	 */
	void judge(@Nullable Row row) {
		long generation = key().generation();
		this.rowHeldByOthers = row != null && row.generation() == generation;
		this.overtaken = !this.rowHeldByOthers && (!isHandled() || (row != null && row.generation() > generation));
	}

	boolean isHeldBack() {
		return (this.earlier != null) ? this.earlier.isHeldBack() : this.rowHeldByOthers;
	}

	void answered(boolean applied) {
		this.applied = applied;
	}

	boolean isAppliedWithRow() {
		return this.rowTaken && this.applied;
	}

	/**
	 * The store may have been lost, and the row has moved past those who look for that.
	 */
	boolean isRepeatedInVain() {
		return isRepeated() && this.rowTaken && !this.applied;
	}

	/** {@code null} if it is not settled. */
	@Nullable Boolean answer() {
		return isHeldBack() ? null : Boolean.valueOf(this.applied && !this.overtaken);
	}

}
