package io.github.delayqueue.faults;

import java.nio.file.Path;
import java.util.List;

import io.github.delayqueue.faults.Findings.Violation;

/**
 * The checker alone, for histories that lie in a folder: prints what promise was not
 * kept, and ends with 1 if there is any. {@code ./repeat} calls it.
 */
final class HistoryCheck {

	private HistoryCheck() {
	}

	public static void main(String[] args) {
		History history = HistoryReader.read(Path.of(args[0]));
		Findings findings = HistoryChecker.check(history);
		List<Violation> violations = findings.violations();
		violations.forEach(System.out::println);
		Report report = new Report(history, findings, 0);
		System.out.printf(
				"%d tasks acknowledged, %d handlings, %d faults, %d redeliveries with a reason, %d violations%n",
				report.acknowledged(), history.handlings().count(), report.inflicted(), findings.redeliveries(),
				violations.size());
		System.exit(violations.isEmpty() ? 0 : 1);
	}

}
