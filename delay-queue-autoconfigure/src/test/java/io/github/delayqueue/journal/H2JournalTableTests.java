package io.github.delayqueue.journal;

import org.springframework.dao.ConcurrencyFailureException;

import io.github.delayqueue.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The table of the journal in H2.
 */
class H2JournalTableTests extends AbstractJournalTableTests {

	H2JournalTableTests() {
		super(TestDatabase.H2, "");
	}

	/** It waits, and what has not been had in time is repeated. */
	@Override
	public void recheckLostWhileSomeIsLocked() {
		assertThatExceptionOfType(ConcurrencyFailureException.class).isThrownBy(
				() -> inTransaction(() -> loader().recheckLost(queue(), NOW, JournalLoaderContract.first(NOW), 3)));
		assertThat(checkOf("task-8")).as("rolled back").isEqualTo(NOW + 10_008);
	}

}
