package io.github.delayqueue.migration;

/**
 * What is done to an entry, in this order. A process may end after each.
 */
enum MoveStep {

	/** It has left its source and become a record. */
	TAKEN,

	/** It is a task. */
	SCHEDULED,

	/** The record is gone. */
	DROPPED

}
