package io.github.delayqueue.store;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The end of a delivery.
 *
 * @param taskId the task
 * @param token the token it was claimed with
 * @param end what becomes of it
 * @param late whether its handler began more than a second after the task was due
 * @param handling how long its handler took, zero if none was called; with {@code late},
 * for the history only
 */
public record Settlement(String taskId, String token, End end, boolean late, Duration handling) {

	/** A settlement of a task that no handler was called for. */
	public Settlement(String taskId, String token, End end) {
		this(taskId, token, end, false, Duration.ZERO);
	}

	/** A way for it to end. Each is a value. */
	public sealed interface End {

		/** Whether the delivery counts as a failure. */
		default boolean countFailure() {
			return false;
		}

		/**
		 * Describes the failure or the run, to be kept in place of the last failure.
		 * Opaque to the store.
		 * @return {@code null} for nothing
		 */
		default byte @Nullable [] description() {
			return null;
		}

	}

	/**
	 * Handled.
	 *
	 * @param keep whether to keep it as {@link io.github.delayqueue.TaskState#COMPLETED}
	 */
	public record Complete(boolean keep) implements End {

	}

	/**
	 * It failed, and is to be delivered again.
	 *
	 * @param delay after what time
	 */
	public record Retry(Duration delay, byte @Nullable [] description) implements End {

		@Override
		public boolean countFailure() {
			return true;
		}

	}

	/** Given up. */
	public record DeadLetter(boolean countFailure, byte @Nullable [] description) implements End {

	}

	/**
	 * Released as if it had not been claimed: nothing is charged.
	 *
	 * @param delay after what time it is due, {@code null} for its old due time
	 */
	public record Release(@Nullable Duration delay) implements End {

	}

	/**
	 * Not to be delivered any more, because it has been cancelled, replaced or handled
	 * without the store having learnt of it: forgotten, and counted as cancelled.
	 */
	public record Drop() implements End {

	}

	/**
	 * Handled, and to be delivered once more as if it was new: a recurring task for its
	 * next time. Counted as completed, and as scheduled.
	 *
	 * @param next when it is due next, which may be in the past
	 * @param description of the run, if it is a recurring task
	 */
	public record Repeat(DueTime next, byte @Nullable [] description) implements End {

	}

	/**
	 * A run of a recurring task does not take place, or has failed for good: the task is
	 * scheduled for its next time, without failures. If it counts as a failure, which is
	 * an answer of the handler, lost leases are forgotten as well, and it is counted as
	 * retried. Else they stay, and nothing is counted.
	 *
	 * @param next when it is due next, which may be in the past
	 */
	public record Skip(boolean countFailure, byte @Nullable [] description, Instant next) implements End {

	}

	/**
	 * This settlement, of a task that a handler was called for.
	 * @param late whether it began more than a second after the task was due
	 * @param handling how long it took
	 */
	public Settlement handled(boolean late, Duration handling) {
		return new Settlement(this.taskId, this.token, this.end, late, handling);
	}

	/**
	 * Whether another settlement says the same of another task of the same claim.
	 * @return whether they differ in the task and its handler at most
	 */
	public boolean endsLike(Settlement other) {
		return this.token.equals(other.token) && this.end.equals(other.end);
	}

}
