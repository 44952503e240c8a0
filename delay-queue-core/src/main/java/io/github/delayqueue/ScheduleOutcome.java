package io.github.delayqueue;

/** The result of scheduling a task. */
public enum ScheduleOutcome {

	/** Stored under an id that was not known. */
	CREATED,

	/** Stored in place of another task of the same id. */
	REPLACED,

	/** Not stored: the id is known and the request said to reject duplicates. */
	REJECTED,

	/**
	 * Not stored yet: it will be once the transaction that it is part of has committed,
	 * and it will not if that is rolled back. Only inside a transaction, and only if
	 * {@code delay-queue.producer.transaction} is {@code after-commit}.
	 */
	DEFERRED

}
