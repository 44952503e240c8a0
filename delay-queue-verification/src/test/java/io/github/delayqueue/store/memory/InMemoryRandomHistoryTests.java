package io.github.delayqueue.store.memory;

import io.github.delayqueue.store.AbstractRandomHistoryTests;
import io.github.delayqueue.store.HistorySubject;
import io.github.delayqueue.testsupport.MutableClock;
import io.github.delayqueue.testsupport.TestEffort;

/**
 * The model against itself: the same history, the same answers, and every task in one
 * place.
 */
class InMemoryRandomHistoryTests extends AbstractRandomHistoryTests {

	@Override
	protected HistorySubject openModel(MutableClock clock) {
		return new InMemorySubject(clock);
	}

	@Override
	protected HistorySubject openCandidate(MutableClock clock) {
		return new InMemorySubject(clock);
	}

	@Override
	protected int sequences() {
		return TestEffort.pick(500, 1000);
	}

}
