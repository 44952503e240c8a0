package io.github.delayqueue.journal;

import javax.sql.DataSource;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.TestDatabase;

/**
 * The statements for MySQL, in a MariaDB: they use only what both have in common. There
 * is no MySQL that tests could start.
 */
@Heavy
class MySqlStatementsIntegrationTests extends AbstractJournalTableTests implements MariaDbReads {

	MySqlStatementsIntegrationTests() {
		super(TestDatabase.MARIADB, "?sessionVariables=innodb_snapshot_isolation=OFF");
	}

	@Override
	JournalTable table(DataSource dataSource) {
		return JournalTable.of(dataSource, clock(), TIMEOUT, HORIZON, DatabaseProduct.MYSQL);
	}

	/** In both, a snapshot does not keep from changing what has been changed since. */
	@Override
	public TransactionTemplate snapshots() {
		TransactionTemplate template = new TransactionTemplate(transactions().getTransactionManager());
		template.setIsolationLevel(TransactionDefinition.ISOLATION_SERIALIZABLE);
		return template;
	}

}
