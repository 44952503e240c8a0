package io.github.delayqueue;

/** Why a task is {@link TaskState#DEAD}. */
public enum DeadReason {

	/** Its handler failed as often as {@code max-attempts} allows. */
	ATTEMPTS_EXHAUSTED,

	/** Its handler failed with an exception that is not to be retried. */
	NOT_RETRYABLE,

	/** Its handler asked for it, or the caller that claimed it by hand. */
	DEAD_LETTERED,

	/** It lost its lease as often as {@code max-lease-losses} allows. */
	LEASES_EXHAUSTED,

	/**
	 * It was overdue by more than {@code expires-after} when it was claimed; of a run of
	 * a recurring task also: its retry was missed, and missed runs are skipped.
	 */
	EXPIRED,

	/** Its envelope or payload could not be read as what the handler declares. */
	UNREADABLE,

	/**
	 * A repair found it in no index of its queue, where nothing would have delivered it,
	 * and kept it. Its due time is lost, and it may have been handled.
	 */
	RECOVERED;

	/**
	 * Its name in what is stored, and in the fingerprint of a cause: the same in all
	 * versions, whatever it is called here.
	 */
	public String storedName() {
		return (this == DEAD_LETTERED) ? "BURIED" : name();
	}

}
