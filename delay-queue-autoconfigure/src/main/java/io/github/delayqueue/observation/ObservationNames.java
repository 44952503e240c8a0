package io.github.delayqueue.observation;

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

}
