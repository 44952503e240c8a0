package io.github.delayqueue.power;

import java.util.Random;

import io.github.delayqueue.faults.FaultSuite;

/**
 * Cuts the power of servers without JUnit, with whatever is on the class path, until
 * something is lost. It ends as {@link FaultSuite} does.
 */
public final class PowerLossSuite {

	private PowerLossSuite() {
	}

	/**
	 * Run.
	 * @param args none; {@code -Dpower.cuts} says how often
	 */
	public static void main(String[] args) throws InterruptedException {
		Random random = new Random(1);
		for (int i = 0; i < Integer.getInteger("power.cuts", 1); i++) {
			PowerCut cut = PowerCut.run(Setting.POSTGRESQL, false, random);
			System.out.println(cut.violation().isEmpty() ? cut : cut.violation());
			if (!cut.violation().isEmpty()) {
				System.exit(FaultSuite.VIOLATIONS);
			}
		}
		System.exit(0);
	}

}
