package io.github.delayqueue.testsupport;

import java.util.concurrent.ThreadLocalRandom;

/**
 * How much the tests of a run do: enough for a quick verdict, or everything, with
 * {@code mvn verify -Pfull}. The quick verdict is the same in every run: chance decides
 * nothing.
 */
public final class TestEffort {

	/** Set to {@code true} by the profile {@code full}. */
	public static final String PROPERTY = "delayqueue.test.full";

	/** Set to {@code fixed} by CI, which runs everything but leaves nothing to chance. */
	public static final String SEEDS = "delayqueue.test.seeds";

	private TestEffort() {
	}

	public static boolean isFull() {
		return Boolean.getBoolean(PROPERTY);
	}

	/**
	 * Whether random numbers are others in each run.
	 * @return {@code true} where everything is run, unless seeds are fixed
	 */
	public static boolean hasNewSeeds() {
		return isFull() && !System.getProperty(SEEDS, "").equals("fixed");
	}

	/**
	 * How many there are to be of something.
	 * @param quick for a quick verdict
	 * @param full for everything
	 * @return one of both
	 */
	public static int pick(int quick, int full) {
		return isFull() ? full : quick;
	}

	/**
	 * What to begin random numbers with. A test names it when it fails.
	 * @param fixed for a quick verdict
	 * @return the same, or a new one each time if {@link #hasNewSeeds()}
	 */
	public static long seed(long fixed) {
		return hasNewSeeds() ? ThreadLocalRandom.current().nextLong(1L << 48) : fixed;
	}

}
