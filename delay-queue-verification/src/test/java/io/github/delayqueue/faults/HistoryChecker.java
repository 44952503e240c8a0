package io.github.delayqueue.faults;

import java.time.Duration;
import java.util.List;

/**
 * Reads a history and says what promise was not kept. A pure function.
 */
public final class HistoryChecker {

	private static final List<Rule> RULES = List.of(new AnswerRule(), new LossRule(), new DueRule(),
			new RedeliveryRule());

	/** What is over is kept by Redis alone. */
	private static final Rule RETENTION = new RetentionRule();

	private HistoryChecker() {
	}

	static Findings check(History history) {
		Findings findings = new Findings();
		checkPromises(history, findings);
		WindowRule.check(history, findings);
		return findings;
	}

	/**
	 * Check a history of a simulation, which shows at each task what another history
	 * shows only where there are many.
	 * @param history what happened
	 * @param pollInterval how often consumers ask that are told nothing
	 * @return what is wrong
	 */
	public static Findings checkSimulated(History history, Duration pollInterval) {
		Findings findings = new Findings();
		checkPromises(history, findings);
		PromptRule.check(history, pollInterval, findings);
		return findings;
	}

	private static void checkPromises(History history, Findings findings) {
		history.violations.forEach((text) -> findings.violation("run", text, null));
		if (!history.complete) {
			findings.violation("run", "The run did not come to its end", null);
		}
		boolean losses = history.hasLosses();
		for (TaskHistory task : history.tasks.values()) {
			RULES.forEach((rule) -> rule.check(task, history, findings));
			if (!losses) {
				RETENTION.check(task, history, findings);
			}
		}
		history.recurring.values().forEach((task) -> RecurrenceRule.check(task, history, findings));
		if (!losses) {
			RetentionRule.checkAmounts(history, findings);
		}
		FinalStateRule.check(history, findings);
	}

}
