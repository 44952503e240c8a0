package io.github.delayqueue.journal;

import org.junit.jupiter.api.AfterEach;

import io.github.delayqueue.store.AbstractTaskStoreContractTests;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.MutableClock;

/**
 * A queue with a journal keeps the whole contract, as one without.
 */
class JournaledStoreContractTests extends AbstractTaskStoreContractTests {

	private final JournalFixture fixture = new JournalFixture();

	private final TaskStore store = new JsonEnvelopes(this.fixture.store);

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Override
	public TaskStore store() {
		return this.store;
	}

	@Override
	public MutableClock clock() {
		return this.fixture.clock;
	}

}
