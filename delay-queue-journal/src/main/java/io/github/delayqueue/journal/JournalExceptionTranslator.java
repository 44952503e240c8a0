package io.github.delayqueue.journal;

import java.sql.SQLException;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.support.SQLErrorCodeSQLExceptionTranslator;
import org.springframework.jdbc.support.SQLExceptionTranslator;

/**
 * Tells exceptions apart by the error codes of the database. The classes of a driver's
 * exceptions and their SQL states, by which Spring goes otherwise, do not tell of every
 * lock that could not be had; and the error codes that Spring knows lack two.
 */
final class JournalExceptionTranslator {

	/** MariaDB: a row has been changed since the transaction's snapshot. */
	private static final int CHANGED_SINCE_LAST_READ = 1020;

	/** H2: a row is being changed by another transaction. */
	private static final int CONCURRENT_UPDATE = 90131;

	private static final Set<Integer> CONCURRENCY_FAILURES = Set.of(CHANGED_SINCE_LAST_READ, CONCURRENT_UPDATE);

	private JournalExceptionTranslator() {
	}

	static SQLExceptionTranslator forProduct(String productName) {
		SQLErrorCodeSQLExceptionTranslator translator = new SQLErrorCodeSQLExceptionTranslator(productName);
		translator.setCustomTranslator(JournalExceptionTranslator::translate);
		return translator;
	}

	/** {@code null} if others know better. */
	private static @Nullable ConcurrencyFailureException translate(String task, @Nullable String sql, SQLException ex) {
		return CONCURRENCY_FAILURES.contains(ex.getErrorCode()) ? new ConcurrencyFailureException(
				task + " failed because of another transaction: " + ex.getMessage(), ex) : null;
	}

}
