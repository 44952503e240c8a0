package io.github.delayqueue.journal;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.delayqueue.testsupport.TestDatabase;

/**
 * The table of the journal in a MySQL that {@code -Ddelayqueue.test.mysql} names; without
 * it nothing is tested.
 */
class MySqlJournalTableIntegrationTests extends AbstractJournalTableTests implements JournalReadsContract {

	MySqlJournalTableIntegrationTests() {
		super(TestDatabase.MYSQL, "");
	}

	/** A snapshot does not keep from changing what has been changed since. */
	@Override
	public TransactionTemplate snapshots() {
		TransactionTemplate template = new TransactionTemplate(transactions().getTransactionManager());
		template.setIsolationLevel(TransactionDefinition.ISOLATION_SERIALIZABLE);
		return template;
	}

	@Override
	public long rowsRead() {
		return jdbc()
			.sql("SELECT SUM(VARIABLE_VALUE) FROM performance_schema.session_status "
					+ "WHERE VARIABLE_NAME LIKE 'HANDLER\\_READ%'")
			.query(Long.class)
			.single();
	}

	/** A recursion would end after a thousand. */
	@Override
	public String numbers(int n) {
		String digits = "(SELECT 0 AS d UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 "
				+ "UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9)";
		StringBuilder value = new StringBuilder("1");
		StringBuilder tables = new StringBuilder();
		int place = 0;
		for (int power = 1; power < n; power *= 10) {
			value.append(" + ").append(power).append(" * d").append(place).append(".d");
			tables.append((place > 0) ? ", " : "").append(digits).append(" AS d").append(place++);
		}
		return "(SELECT " + value + " AS n FROM " + tables + " HAVING n <= " + n + ") AS numbers";
	}

	@Override
	public void analyze() {
		jdbc().sql("ANALYZE TABLE delay_queue_task").query().listOfRows();
	}

}
