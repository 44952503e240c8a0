package io.github.delayqueue.producer;

import java.security.SecureRandom;

/**
 * Numbers of fixed width in digits and letters, which sort like the numbers. The JDK
 * writes numbers to no base above 36.
 */
final class Base62 {

	private static final char[] DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".toCharArray();

	private Base62() {
	}

	/**
	 * Encode a number.
	 * @param number the number, not negative
	 * @param width how many digits; higher ones are cut off
	 * @return as many characters
	 */
	static String encode(long number, int width) {
		char[] text = new char[width];
		long rest = number;
		for (int i = width - 1; i >= 0; i--) {
			text[i] = DIGITS[(int) (rest % DIGITS.length)];
			rest /= DIGITS.length;
		}
		return new String(text);
	}

	/**
	 * Random digits.
	 * @param width how many, at most 10
	 * @return as many characters
	 */
	static String random(int width) {
		return encode(new SecureRandom().nextLong() >>> 1, width);
	}

}
