package io.github.delayqueue.journal;

/**
 * Where the task of a row is. There is no state for finished tasks: their rows are
 * deleted.
 */
enum RowState {

	/** In the table only, or on its way to Redis: the loader hands it over in time. */
	WAITING,

	/** Handed over to Redis, which delivers it. */
	HANDED,

	/** Given up, until somebody redrives or removes it. */
	DEAD

}
