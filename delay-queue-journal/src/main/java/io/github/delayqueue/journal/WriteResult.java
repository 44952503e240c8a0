package io.github.delayqueue.journal;

import io.github.delayqueue.ScheduleOutcome;

/**
 * What became of an {@link Arrival}.
 *
 * @param generation the generation of the row that is there now: of a rejected one that
 * of the row it was rejected for
 */
record WriteResult(ScheduleOutcome outcome, long generation) {

	/** By how often the row has been written, the last time by us. */
	static WriteResult ofRevision(int revision, long generation) {
		return new WriteResult((revision == 1) ? ScheduleOutcome.CREATED : ScheduleOutcome.REPLACED, generation);
	}

	static WriteResult rejected(long generation) {
		return new WriteResult(ScheduleOutcome.REJECTED, generation);
	}

}
