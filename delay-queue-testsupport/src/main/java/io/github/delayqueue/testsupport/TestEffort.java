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

	private TestEffort() {
	}

	public static boolean isFull() {
		return Boolean.getBoolean(PROPERTY);
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
	 * @return the same, or a new one each time if everything is run
	 */
	public static long seed(long fixed) {
		return isFull() ? ThreadLocalRandom.current().nextLong(1L << 48) : fixed;
	}

}
