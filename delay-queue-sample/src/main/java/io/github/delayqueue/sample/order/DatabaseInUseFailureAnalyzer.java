package io.github.delayqueue.sample.order;

import java.sql.SQLException;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Says what to do where another process has the file of the H2 database.
 */
class DatabaseInUseFailureAnalyzer extends AbstractFailureAnalyzer<SQLException> {

	/** H2's number for it: {@code DATABASE_ALREADY_OPEN_1}. */
	private static final int ALREADY_OPEN = 90020;

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, SQLException cause) {
		return (cause.getErrorCode() == ALREADY_OPEN) ? new FailureAnalysis(
				"The database of the shop is in use by another process: " + cause.getMessage(),
				"Stop the other shop, give this one another folder with --sample.database.data-dir=./other, or let both "
						+ "use a PostgreSQL with --spring.datasource.url=jdbc:postgresql://localhost/shop?user=shop",
				cause) : null;
	}

}
