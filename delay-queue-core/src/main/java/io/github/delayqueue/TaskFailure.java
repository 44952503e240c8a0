package io.github.delayqueue;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The last failure of a task, kept with it while it is retried and after it has died.
 *
 * @param reason why the task is dead, or a run of a recurring task was given up;
 * {@code null} while it is to be retried
 * @param type class name of the exception, {@code null} if there was none
 * @param message what went wrong; never contains the payload unless the handler's own
 * exception message does
 * @param at when it happened
 * @param runAt of a recurring task, the time of the run that failed
 * ({@link DelayedTask#runAt()}); {@code null} of any other, and where it is not known
 */
public record TaskFailure(@Nullable DeadReason reason, @Nullable String type, @Nullable String message, Instant at,
		@Nullable Instant runAt) {

	/** Longest {@link #message()} that is kept, in characters. */
	public static final int MAX_MESSAGE_LENGTH = 1000;

	public TaskFailure {
		if (message != null && message.length() > MAX_MESSAGE_LENGTH) {
			message = message.substring(0, MAX_MESSAGE_LENGTH);
		}
	}

	/** A failure of a task that is run once. */
	public TaskFailure(@Nullable DeadReason reason, @Nullable String type, @Nullable String message, Instant at) {
		this(reason, type, message, at, null);
	}

	/**
	 * The same as the failure of a run.
	 * @param runAt the time of the run, {@code null} of a task that is run once
	 */
	public TaskFailure ofRun(@Nullable Instant runAt) {
		return new TaskFailure(this.reason, this.type, this.message, this.at, runAt);
	}

	/**
	 * The failure of a recurring task that was handled and has no next time.
	 * @param at when that was found
	 */
	public static TaskFailure withoutNextRun(Instant at) {
		return new TaskFailure(DeadReason.BURIED, null, "It was handled, and its recurrence has no further time", at);
	}

	/**
	 * The reason why a claimed task must not be handled: it has lost as many leases as it
	 * may, or its id is impossible.
	 * @param at when it was claimed
	 * @return the failure it dies of, {@code null} if it can be handled
	 */
	public static @Nullable TaskFailure ofClaimed(String taskId, int leasesLost, int maxLeaseLosses, Instant at) {
		if (leasesLost >= maxLeaseLosses) {
			return new TaskFailure(DeadReason.LEASES_EXHAUSTED, null, "Its lease was lost " + leasesLost
					+ " times without an answer of the handler (retry.max-lease-losses)", at);
		}
		String objection = Names.objectionToTaskId(taskId);
		return (objection != null) ? new TaskFailure(DeadReason.UNREADABLE, null, "Its id " + objection, at) : null;
	}

	/**
	 * Describe an exception.
	 * @param reason why it is given up, {@code null} if it is to be retried
	 * @param at when it happened
	 */
	public static TaskFailure of(@Nullable DeadReason reason, Throwable cause, Instant at) {
		return new TaskFailure(reason, cause.getClass().getName(), cause.getMessage(), at);
	}

}
