package io.github.delayqueue.journal;

import io.github.delayqueue.faults.FaultSuite;

/**
 * Runs random histories of a journal without JUnit, with whatever is on the class path.
 * It ends as {@link FaultSuite} does.
 */
public final class JournalHistories {

	private JournalHistories() {
	}

	/**
	 * Run them.
	 * @param args none; what can be set is set by system properties, see
	 * {@link JournalHistoryTests}
	 */
	public static void main(String[] args) {
		try {
			for (boolean faults : new boolean[] { false, true }) {
				new JournalHistoryTests().journalKeepsItsRulesThroughRandomHistories(faults);
			}
		}
		catch (AssertionError ex) {
			System.out.println(ex.getMessage());
			System.exit(FaultSuite.VIOLATIONS);
		}
		System.exit(0);
	}

}
