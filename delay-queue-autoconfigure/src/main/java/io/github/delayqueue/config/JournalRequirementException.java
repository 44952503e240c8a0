package io.github.delayqueue.config;

import io.github.delayqueue.journal.JournalSetupException;

/**
 * A queue is to have a journal, and something that it needs is not there, or it is not
 * clear which one is meant. Public for failure analysis.
 */
public class JournalRequirementException extends JournalSetupException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param settings which queues have a journal
	 * @param missing what is missing, the end of a sentence without a full stop
	 * @param remedy what to do about it, in sentences
	 */
	public JournalRequirementException(DelayQueueSettings settings, String missing, String remedy) {
		super(reason(settings) + ", and " + missing, remedy + " Without a journal, " + withoutJournal(settings) + ".");
	}

	private static String reason(DelayQueueSettings settings) {
		return settings.general().journal() ? "All queues have a journal (delay-queue.journal.enabled)"
				: "Queue '" + firstQueue(settings) + "' has a journal (" + property(firstQueue(settings)) + ")";
	}

	private static String withoutJournal(DelayQueueSettings settings) {
		return "set " + (settings.general().journal() ? "delay-queue.journal.enabled" : property(firstQueue(settings)))
				+ "=false";
	}

	private static String firstQueue(DelayQueueSettings settings) {
		return settings.queues()
			.entrySet()
			.stream()
			.filter((queue) -> queue.getValue().journal())
			.map((queue) -> queue.getKey())
			.sorted()
			.findFirst()
			.orElse("?");
	}

	private static String property(String queue) {
		return DelayQueueSettings.prefixOf(queue) + "journal.enabled";
	}

}
