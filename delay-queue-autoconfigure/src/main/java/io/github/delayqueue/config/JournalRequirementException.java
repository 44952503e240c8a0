package io.github.delayqueue.config;

import io.github.delayqueue.SetupException;

/**
 * A queue is to have a journal, and something that it needs is not there, or it is not
 * clear which one is meant. Public for failure analysis.
 */
public class JournalRequirementException extends SetupException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param settings which queues have a journal
	 * @param missing what is missing, the end of a sentence without a full stop
	 * @param remedy what to do about it, in sentences
	 */
	public JournalRequirementException(DelayQueueSettings settings, String missing, String remedy) {
		super((settings.general().journal() ? "All queues have" : "Queue '" + firstQueue(settings) + "' has")
				+ " a journal (" + property(settings) + "), and " + missing,
				remedy + " Without a journal, set " + property(settings) + "=false.", null);
	}

	private static String property(DelayQueueSettings settings) {
		return (settings.general().journal() ? "delay-queue." : DelayQueueSettings.prefixOf(firstQueue(settings)))
				+ "journal.enabled";
	}

	private static String firstQueue(DelayQueueSettings settings) {
		return settings.queues().keySet().stream().filter(settings::journal).sorted().findFirst().orElse("?");
	}

}
