package io.github.delayqueue.journal;

import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.TestDatabase;

/**
 * The table of the journal in MariaDB, with the isolation of snapshots that is the
 * default from 11.6 on.
 */
@Heavy
class MariaDbJournalTableIntegrationTests extends AbstractJournalTableTests implements MariaDbReads {

	MariaDbJournalTableIntegrationTests() {
		super(TestDatabase.MARIADB, "?sessionVariables=innodb_snapshot_isolation=ON");
	}

}
