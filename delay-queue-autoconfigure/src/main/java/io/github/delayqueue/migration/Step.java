package io.github.delayqueue.migration;

/**
 * What is done to an entry, in this order. A process may end after each.
 */
enum Step {

	/** It has left its source and become a record. */
	TAKEN,

	/** Its task is parked. */
	PARKED,

	/** The record says so. */
	MARKED,

	/** The task has its due time. */
	RELEASED,

	/** The record is gone. */
	DROPPED

}
