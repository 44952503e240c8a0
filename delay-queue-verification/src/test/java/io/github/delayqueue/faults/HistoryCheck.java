package io.github.delayqueue.faults;

import java.nio.file.Path;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the histories of a run again, for instance after a change of the checker.
 */
final class HistoryCheck {

	private static final Logger logger = LoggerFactory.getLogger(HistoryCheck.class);

	private HistoryCheck() {
	}

	/**
	 * Run.
	 * @param args the folder
	 */
	public static void main(String[] args) {
		History history = HistoryReader.read(Path.of(args[0]));
		Findings findings = HistoryChecker.check(history);
		logger.warn("{}", new Report(history, findings, 0).text());
		findings.violations().forEach((violation) -> logger.error("{}", violation));
	}

}
