package io.github.delayqueue.journal;

import io.github.delayqueue.testsupport.TestDatabase;

/**
 * The table of the journal in H2.
 */
class H2JournalTableTests extends AbstractJournalTableTests {

	H2JournalTableTests() {
		super(TestDatabase.H2, "");
	}

}
