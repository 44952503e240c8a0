package io.github.delayqueue.journal;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;
import java.util.regex.Pattern;

import io.github.delayqueue.Names;

/**
 * Tells the table of a journal apart from others, by rows beside the epochs with names
 * that no partition can have. They go wherever the table is copied to.
 */
record TableIdentity(LoaderTable table, Transactions transactions) {

	private static final String ID = "#table";

	private static final String KEY_PREFIX = "#key-prefix";

	/** What fits into the column in all databases. */
	private static final Pattern FITTING = Pattern.compile("[!-~]{1,64}");

	/** The id, which it is given if it has none yet. */
	String id() {
		return found(ID, UUID.randomUUID().toString());
	}

	/** Two who share a table, and nothing in Redis, take each other's tasks. */
	void requireKeyPrefix(String keyPrefix) {
		String own = FITTING.matcher(keyPrefix).matches() ? keyPrefix : hash(keyPrefix);
		String known = found(KEY_PREFIX, own);
		if (!known.equals(own)) {
			throw new JournalSetupException(
					"The tables of the journal belong to instances with delay-queue.key-prefix="
							+ Names.printableText(known) + ", and this one has " + Names.printableText(keyPrefix)
							+ ": each would run the tasks of the other",
					"Set the same delay-queue.key-prefix, or give this application tables of its own, in another schema "
							+ "or database. If the prefix was changed, stop all instances with the former one, and let "
							+ "the tables forget it: DELETE FROM delay_queue_epoch WHERE partition_name = '"
							+ KEY_PREFIX + "'.");
		}
	}

	/** Of many who begin at once, one writes, and all find it. */
	private String found(String name, String otherwise) {
		return this.transactions.apart(null, () -> this.table.insertEpoch(name, otherwise, 0).orElse(otherwise));
	}

	private static String hash(String text) {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
