package io.github.delayqueue.migration;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.UUID;

/**
 * What entries are called in the moving area and in the log: by texts that say nothing of
 * what is in them.
 */
final class EntryKeys {

	private static final int BYTES = 16;

	private EntryKeys() {
	}

	/**
	 * A key that no entry has had.
	 * @return 32 hexadecimal digits
	 */
	static String next() {
		return UUID.randomUUID().toString().replace("-", "");
	}

	/**
	 * The same for the same entry, another one for each other.
	 * @param member the entry as it lies in Redis
	 * @return 32 hexadecimal digits
	 */
	static String of(byte[] member) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(member);
			return HexFormat.of().formatHex(Arrays.copyOf(digest, BYTES));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

}
