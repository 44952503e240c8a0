package io.github.delayqueue.faults;

/**
 * Runs the fault suite of the journal without JUnit, with whatever is on the class path.
 * It ends as {@link FaultSuite} does.
 */
public final class JournalFaultSuite {

	private JournalFaultSuite() {
	}

	/**
	 * Run it.
	 * @param args none; what can be set is set by system properties, see
	 * {@link JournalFaultsIntegrationTests}
	 * @throws Exception if it could not be run
	 */
	public static void main(String[] args) throws Exception {
		try {
			new JournalFaultsIntegrationTests().handlesWhatWasCommittedAndNothingElse();
		}
		catch (AssertionError ex) {
			System.out.println(ex.getMessage());
			System.exit(FaultSuite.VIOLATIONS);
		}
		System.exit(0);
	}

}
