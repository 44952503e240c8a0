package io.github.delayqueue.faults;

/**
 * Runs the fault suite without JUnit, with whatever is on the class path. It ends with
 * {@value #VIOLATIONS} where promises were not kept, with 0 where all were.
 */
public final class FaultSuite {

	/** Exit status of a run that came to its end and found something. */
	public static final int VIOLATIONS = 3;

	private FaultSuite() {
	}

	/**
	 * Run it.
	 * @param args none; what can be set is set by system properties, see
	 * {@link FaultSuiteIntegrationTests} and {@link FaultLane}
	 * @throws Exception if it could not be run
	 */
	public static void main(String[] args) throws Exception {
		try {
			new FaultSuiteIntegrationTests().losesNothingAndIsNeverEarlyAndExplainsEveryRedelivery();
		}
		catch (AssertionError ex) {
			System.out.println(ex.getMessage());
			System.exit(VIOLATIONS);
		}
		System.exit(0);
	}

}
