package io.github.delayqueue.faults;

import java.util.List;

/**
 * Reads a history and says what promise was not kept. A pure function.
 */
final class HistoryChecker {

	private static final List<Rule> RULES = List.of(new AnswerRule(), new LossRule(), new DueRule(),
			new RedeliveryRule(), new RetentionRule());

	private HistoryChecker() {
	}

	static Findings check(History history) {
		Findings findings = new Findings();
		history.violations.forEach((text) -> findings.violation("run", text, null));
		if (!history.complete) {
			findings.violation("run", "The run did not come to its end", null);
		}
		for (TaskHistory task : history.tasks.values()) {
			RULES.forEach((rule) -> rule.check(task, history, findings));
		}
		history.recurring.values().forEach((task) -> RecurrenceRule.check(task, history, findings));
		RetentionRule.checkAmounts(history, findings);
		FinalStateRule.check(history, findings);
		WindowRule.check(history, findings);
		return findings;
	}

}
