package io.github.delayqueue.journal;

import java.util.List;

import org.springframework.dao.ConcurrencyFailureException;

import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The table of the journal in MariaDB, with the isolation of snapshots that is the
 * default from 11.6 on.
 */
@Heavy
class MariaDbJournalTableIntegrationTests extends AbstractJournalTableTests implements MariaDbReads {

	MariaDbJournalTableIntegrationTests() {
		super(TestDatabase.MARIADB, "?sessionVariables=innodb_snapshot_isolation=ON");
	}

	/** What has been changed since the snapshot is not locked. */
	@Override
	public void deleteWhatWasDead(List<Key> dead) {
		assertThatExceptionOfType(ConcurrencyFailureException.class)
			.isThrownBy(() -> table().deleteDead(queue(), dead));
	}

}
