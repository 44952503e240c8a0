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
		String area = prefix + "moving:" + tagged(source);
		this.area = bytes(area);
		this.lock = bytes(area + ":lock");
		this.totals = bytes(area + ":totals");
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

	/**
	 * A name as part of a key with its hash tag, as Redisson does it.
	 * @param name the name
	 * @return the same if it has braces, else in braces
	 */
	static String tagged(String name) {
		return name.contains("{") ? name : "{" + name + "}";
	}

	static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
