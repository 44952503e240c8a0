package io.github.delayqueue.migration;

import java.nio.charset.StandardCharsets;

/**
 * Builds every key. What belongs to a source has its hash tag, so that in a cluster all
 * of it lies in one slot.
 */
final class MovingKeys {

	private final byte[] area;

	private final byte[] lock;

	private final byte[] totals;

	/**
	 * Keys of what is on its way.
	 * @param prefix what all keys of the delay queue begin with
	 * @param source what is moved
	 */
	MovingKeys(String prefix, String source) {
		String area = area(prefix, source);
		this.area = bytes(area);
		this.lock = bytes(area + ":lock");
		this.totals = bytes(area + ":totals");
	}

	/**
	 * The name of the moving area of a source. Two sources may share one: {@code orders}
	 * and <code>{orders}</code>.
	 * @param prefix what all keys of the delay queue begin with
	 * @param source what is moved
	 * @return a key in the slot of the source
	 */
	static String area(String prefix, String source) {
		return prefix + "moving:" + (hasHashTag(source) ? source : "{" + source + "}");
	}

	/** By Redis's rule: what is between the first brace and the next one that closes. */
	private static boolean hasHashTag(String key) {
		int open = key.indexOf('{');
		return open >= 0 && key.indexOf('}', open) > open + 1;
	}

	/**
	 * Records of entries that have left the source and have not arrived.
	 * @return a hash
	 */
	byte[] area() {
		return this.area;
	}

	/**
	 * Who moves entries of the source just now.
	 * @return a string with an expiry
	 */
	byte[] lock() {
		return this.lock;
	}

	/**
	 * How many entries have been moved.
	 * @return a hash
	 */
	byte[] totals() {
		return this.totals;
	}

	static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
