package io.github.delayqueue.journal;

import io.github.delayqueue.ScheduleOutcome;

/**
 * @param generation that of the row that is there now, also if the task was rejected for
 * it
 */
record WriteResult(ScheduleOutcome outcome, long generation) {

	/** By how often the row has been written. */
	static WriteResult ofRevision(int revision, long generation) {
		return new WriteResult((revision == 1) ? ScheduleOutcome.CREATED : ScheduleOutcome.REPLACED, generation);
	}

	static WriteResult rejected(long generation) {
		return new WriteResult(ScheduleOutcome.REJECTED, generation);
	}

}
