package io.github.delayqueue.migration;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Builds every key. What belongs to a source has its hash tag, so that in a cluster all
 * of it lies in one slot.
 *
 * @param area a hash: records of entries that have left the source and have not arrived
 * @param lock a string with an expiry: who moves entries of the source just now
 * @param totals a hash: how many entries have been moved
 */
record MovingKeys(byte[] area, byte[] lock, byte[] totals) {

	private static final int ENTRY_BYTES = 16;

	MovingKeys(String area) {
		this(bytes(area), bytes(area + ":lock"), bytes(area + ":totals"));
	}

	/** In the slot of the source. Two may share one: {@code a} and <code>{a}</code>. */
	static String area(String prefix, String source) {
		return prefix + "moving:" + (hasHashTag(source) ? source : "{" + source + "}");
	}

	/** By Redis's rule: what is between the first brace and the next one that closes. */
	private static boolean hasHashTag(String key) {
		int open = key.indexOf('{');
		return open >= 0 && key.indexOf('}', open) > open + 1;
	}

	/** Of an entry, in the area and in the log: the same for equal ones, and secret. */
	static String ofEntry(byte[] member) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(member);
			return HexFormat.of().formatHex(digest, 0, ENTRY_BYTES);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

	static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
