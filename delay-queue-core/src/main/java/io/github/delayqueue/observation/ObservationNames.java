package io.github.delayqueue.observation;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;

import io.github.delayqueue.observation.DelayQueueObservation.HighCardinality;

/**
 * Names that more than one class needs.
 */
final class ObservationNames {

	/** What the conventions for messaging call the system. */
	static final String SYSTEM = "delay_queue";

	/** A header of tasks whose handling is to have a trace of its own. */
	static final String LINK_HEADER = "delay-queue-trace";

	/** Value of {@link #LINK_HEADER}. */
	static final String LINK = "link";

	private ObservationNames() {
	}

	/** The key that the conventions ask for where an operation has failed. */
	static KeyValues errorType(Observation.Context context) {
		Throwable error = context.getError();
		return (error != null) ? KeyValues.of(HighCardinality.ERROR_TYPE.withValue(error.getClass().getName()))
				: KeyValues.empty();
	}

}
