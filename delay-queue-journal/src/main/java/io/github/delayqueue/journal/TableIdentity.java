package io.github.delayqueue.journal;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;

import io.github.delayqueue.Names;

/**
 * What tells the table of a journal apart from others: an id that it gets when it is
 * first used, and with what the keys of its tasks begin in Redis. Both are rows beside
 * the epochs, by names that no partition can have, so that they go wherever the table is
 * copied to. Thread-safe.
 */
record TableIdentity(JdbcTemplate jdbc, Transactions transactions) {

	private static final String ID = "#table";

	private static final String KEY_PREFIX = "#key-prefix";

	/** What fits into the column in all databases. */
	private static final Pattern FITTING = Pattern.compile("[!-~]{1,64}");

	private static final String FIND = "SELECT incarnation FROM delay_queue_epoch WHERE partition_name = ?";

	private static final String INSERT = """
			INSERT INTO delay_queue_epoch (partition_name, incarnation, beat, updated_at) VALUES (?, ?, 0, 0)""";

	/** The id, which it is given if it has none yet. */
	String id() {
		return found(ID, UUID.randomUUID().toString());
	}

	/**
	 * See that the keys of the tasks begin as they have begun since the table was first
	 * used: two who share a table, and nothing in Redis, take each other's tasks.
	 * @throws JournalSetupException if they do not
	 */
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
		return this.transactions.apart(null, false, () -> {
			List<String> known = this.jdbc.queryForList(FIND, String.class, name);
			if (!known.isEmpty()) {
				return known.get(0);
			}
			try {
				this.jdbc.update(INSERT, name, otherwise);
				return otherwise;
			}
			catch (DuplicateKeyException ex) {
				throw new ConcurrencyFailureException("Another instance has written it at the same time", ex);
			}
		});
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
