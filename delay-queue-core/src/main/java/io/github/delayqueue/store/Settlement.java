package io.github.delayqueue.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * How a delivery ends.
 *
 * @param taskId the task
 * @param token the token it was claimed with
 * @param action what becomes of it
 * @param countFailure whether the delivery counts as a failure
 * @param delay for {@link Action#RETRY}, {@link Action#RELEASE} and
 * {@link Action#REPEAT}: after what time it is due again; {@code null} (release only) for
 * its old due time
 * @param failure description of the failure to keep, opaque to the store; {@code null} to
 * leave what is kept. For {@link Action#REPEAT} of a recurring task, what takes its
 * place: a description of the run
 * @param next for {@link Action#REPEAT}, if it has no {@code delay}, and
 * {@link Action#SKIP}: when it is due next, which may be in the past; {@code null} for
 * all others
 * @param late whether its handler began more than a second after the task was due
 * @param handling how long its handler took, zero if none was called; with {@code late},
 * for the {@link History} only
 */
public record Settlement(String taskId, String token, Action action, boolean countFailure, @Nullable Duration delay,
		byte @Nullable [] failure, @Nullable Instant next, boolean late, Duration handling) {

	/** A settlement of a task that no handler was called for. */
	public Settlement(String taskId, String token, Action action, boolean countFailure, @Nullable Duration delay,
			byte @Nullable [] failure, @Nullable Instant next) {
		this(taskId, token, action, countFailure, delay, failure, next, false, Duration.ZERO);
	}
	/**
	 * The end of a delivery.
	 */
	public enum Action {

		/** Handled, and forgotten. */
		COMPLETE,

		/** Handled, and kept as {@link io.github.delayqueue.TaskState#COMPLETED}. */
		COMPLETE_AND_KEEP,

		/** To be delivered again after a delay. */
		RETRY,

		/** Given up. */
		DEAD_LETTER,

		/** Handed back as if it had not been claimed. */
		RELEASE,

		/** Not to be delivered any more: forgotten, and counted as cancelled. */
		DROP,

		/**
		 * Handled, and to be delivered once more: a run of a recurring task is scheduled
		 * for its next time, any other task after a delay, with counts of zero and no
		 * failure. Counted as completed, and as scheduled.
		 */
		REPEAT,

		/**
		 * A run of a recurring task does not take place, or has failed for good: the task
		 * is scheduled for its next time, without failures. If it counts as a failure,
		 * which is an answer of the handler, lost leases are forgotten as well, and it is
		 * counted as retried; else they stay, and nothing is counted.
		 */
		SKIP

	}

	/**
	 * The task was handled.
	 * @param keep whether to keep it as completed
	 */
	public static Settlement complete(String taskId, String token, boolean keep) {
		return new Settlement(taskId, token, keep ? Action.COMPLETE_AND_KEEP : Action.COMPLETE, false, null, null,
				null);
	}

	/**
	 * The delivery failed and is to be repeated.
	 * @param delay after what time
	 * @param failure description of the failure, {@code null} for none
	 */
	public static Settlement retry(String taskId, String token, Duration delay, byte @Nullable [] failure) {
		return new Settlement(taskId, token, Action.RETRY, true, delay, failure, null);
	}

	/**
	 * The task is given up.
	 * @param countFailure whether this delivery counts as a failure
	 * @param failure description of the failure, {@code null} for none
	 */
	public static Settlement deadLetter(String taskId, String token, boolean countFailure, byte @Nullable [] failure) {
		return new Settlement(taskId, token, Action.DEAD_LETTER, countFailure, null, failure, null);
	}

	/**
	 * The task is handed back: nothing is charged.
	 * @param delay after what time it is due, {@code null} for its old due time
	 */
	public static Settlement release(String taskId, String token, @Nullable Duration delay) {
		return new Settlement(taskId, token, Action.RELEASE, false, delay, null, null);
	}

	/**
	 * The task is not to be delivered any more, because it has been cancelled, replaced
	 * or handled without the store having learnt of it.
	 */
	public static Settlement drop(String taskId, String token) {
		return new Settlement(taskId, token, Action.DROP, false, null, null, null);
	}

	/**
	 * A run of a recurring task was handled.
	 * @param next when it is due next
	 */
	public static Settlement repeat(String taskId, String token, Instant next) {
		return new Settlement(taskId, token, Action.REPEAT, false, null, null, next);
	}

	/**
	 * The task was handled, and is to be delivered once more as if it was new.
	 * @param delay after what time it is due
	 */
	public static Settlement again(String taskId, String token, Duration delay) {
		return new Settlement(taskId, token, Action.REPEAT, false, delay, null, null);
	}

	/**
	 * A run of a recurring task is given up, or does not take place.
	 * @param countFailure whether the handler has failed
	 * @param failure description of the failure, {@code null} for none
	 * @param next when it is due next
	 */
	public static Settlement skip(String taskId, String token, boolean countFailure, byte @Nullable [] failure,
			Instant next) {
		return new Settlement(taskId, token, Action.SKIP, countFailure, null, failure, next);
	}

	/**
	 * This settlement, of a run of a recurring task that was handled.
	 * @param run description of the run to keep in place of a failure, opaque to the
	 * store
	 */
	public Settlement describedBy(byte[] run) {
		return new Settlement(this.taskId, this.token, this.action, this.countFailure, this.delay, run, this.next,
				this.late, this.handling);
	}

	/**
	 * This settlement, of a task that a handler was called for.
	 * @param late whether it began more than a second after the task was due
	 * @param handling how long it took
	 */
	public Settlement handled(boolean late, Duration handling) {
		return new Settlement(this.taskId, this.token, this.action, this.countFailure, this.delay, this.failure,
				this.next, late, handling);
	}

	/**
	 * Whether another settlement says the same of another task of the same claim.
	 * @return whether they differ in the task and its handler at most, and neither
	 * describes a failure
	 */
	public boolean endsLike(Settlement other) {
		return this.token.equals(other.token) && this.action == other.action && this.countFailure == other.countFailure
				&& Objects.equals(this.delay, other.delay) && Objects.equals(this.next, other.next)
				&& this.failure == null && other.failure == null;
	}

}
