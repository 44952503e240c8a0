package io.github.delayqueue.store;

/**
 * What became of a task that was to be scheduled.
 */
public enum ScheduleOutcome {

	/** Stored under an id that was not known. */
	CREATED,

	/** Stored in place of another task of the same id. */
	REPLACED,

	/** Not stored: the id is known and the request said to reject duplicates. */
	REJECTED

}
