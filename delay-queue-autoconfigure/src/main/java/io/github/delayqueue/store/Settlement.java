package io.github.delayqueue.store;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * How a delivery ends.
 *
 * @param taskId the task
 * @param token the token it was claimed with
 * @param action what becomes of it
 * @param countFailure whether the delivery counts as a failure
 * @param delay for {@link Action#RETRY} and {@link Action#RELEASE}: after what time it is
 * due again; {@code null} (release only) for its old due time
 * @param failure description of the failure to keep, opaque to the store; {@code null} to
 * leave what is kept
 */
public record Settlement(String taskId, String token, Action action, boolean countFailure, @Nullable Duration delay,
		byte @Nullable [] failure) {

	/**
	 * What becomes of a task at the end of a delivery.
	 */
	public enum Action {

		/** Handled, and forgotten. */
		COMPLETE,

		/** Handled, and kept as {@link io.github.delayqueue.TaskState#COMPLETED}. */
		COMPLETE_AND_KEEP,

		/** To be delivered again after a delay. */
		RETRY,

		/** Given up. */
		BURY,

		/** Handed back as if it had not been claimed. */
		RELEASE,

		/** Not to be delivered any more: forgotten, and counted as cancelled. */
		DROP

	}

	/**
	 * The task was handled.
	 * @param taskId the task
	 * @param token the token it was claimed with
	 * @param keep whether to keep it as completed
	 * @return the settlement
	 */
	public static Settlement complete(String taskId, String token, boolean keep) {
		return new Settlement(taskId, token, keep ? Action.COMPLETE_AND_KEEP : Action.COMPLETE, false, null, null);
	}

	/**
	 * The delivery failed and is to be repeated.
	 * @param taskId the task
	 * @param token the token it was claimed with
	 * @param delay after what time
	 * @param failure description of the failure, {@code null} for none
	 * @return the settlement
	 */
	public static Settlement retry(String taskId, String token, Duration delay, byte @Nullable [] failure) {
		return new Settlement(taskId, token, Action.RETRY, true, delay, failure);
	}

	/**
	 * The task is given up.
	 * @param taskId the task
	 * @param token the token it was claimed with
	 * @param countFailure whether this delivery counts as a failure
	 * @param failure description of the failure, {@code null} for none
	 * @return the settlement
	 */
	public static Settlement bury(String taskId, String token, boolean countFailure, byte @Nullable [] failure) {
		return new Settlement(taskId, token, Action.BURY, countFailure, null, failure);
	}

	/**
	 * The task is handed back: nothing is charged.
	 * @param taskId the task
	 * @param token the token it was claimed with
	 * @param delay after what time it is due, {@code null} for its old due time
	 * @return the settlement
	 */
	public static Settlement release(String taskId, String token, @Nullable Duration delay) {
		return new Settlement(taskId, token, Action.RELEASE, false, delay, null);
	}

	/**
	 * The task is not to be delivered any more, because it has been cancelled, replaced
	 * or handled without the store having learnt of it.
	 * @param taskId the task
	 * @param token the token it was claimed with
	 * @return the settlement
	 */
	public static Settlement drop(String taskId, String token) {
		return new Settlement(taskId, token, Action.DROP, false, null, null);
	}

	/**
	 * Whether another settlement says the same of another task of the same claim.
	 * @param other the other
	 * @return whether they differ in the task at most, and neither describes a failure
	 */
	public boolean endsLike(Settlement other) {
		return this.token.equals(other.token) && this.action == other.action && this.countFailure == other.countFailure
				&& Objects.equals(this.delay, other.delay) && this.failure == null && other.failure == null;
	}

}
