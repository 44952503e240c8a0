package io.github.delayqueue.journal;

import io.github.delayqueue.testsupport.TestDatabase;

/**
 * The table of the journal in PostgreSQL.
 */
class PostgresJournalTableIntegrationTests extends AbstractJournalTableTests {

	PostgresJournalTableIntegrationTests() {
		super(TestDatabase.POSTGRESQL, "");
	}

}
