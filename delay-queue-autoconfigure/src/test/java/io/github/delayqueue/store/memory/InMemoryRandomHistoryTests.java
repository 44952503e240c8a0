package io.github.delayqueue.store.memory;

import io.github.delayqueue.store.AbstractRandomHistoryTests;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.TaskStoreFixture;
import io.github.delayqueue.testsupport.MutableClock;

/**
 * The model against itself: the same history, the same answers, and every task in one
 * place.
 */
class InMemoryRandomHistoryTests extends AbstractRandomHistoryTests {

	private final MutableClock clock = new MutableClock(TaskStoreFixture.START);

	private final InMemoryTaskStore model = new InMemoryTaskStore(this.clock);

	private final InMemoryTaskStore candidate = new InMemoryTaskStore(this.clock);

	@Override
	protected TaskStore model() {
		return this.model;
	}

	@Override
	protected TaskStore candidate() {
		return this.candidate;
	}

	@Override
	protected MutableClock clock() {
		return this.clock;
	}

	@Override
	protected void assertInvariant(String queue) {
		TaskTableInvariant.check(this.model.state(queue).table());
	}

}
