package com.example;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

import io.github.delayqueue.store.AbstractTaskStoreContractTests;
import io.github.delayqueue.store.FleetContract;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

/**
 * A store of your own keeps the contract of the delay queue if all tests pass that it inherits here.
 */
class MyTaskStoreTests extends AbstractTaskStoreContractTests
		implements FleetContract {

	private final TurnedClock clock = new TurnedClock();

	// yours in its place
	private final TaskStore store = new InMemoryTaskStore(this.clock);

	@Override
	public TaskStore store() {
		return this.store;
	}

	@Override
	public Clock clock() {
		return this.clock;
	}

	@Override
	public void turnTo(Instant to) {
		this.clock.now = to;
	}

	/** Stands still until it is turned. */
	private static final class TurnedClock extends Clock {

		private volatile Instant now = START;

		@Override
		public Instant instant() {
			return this.now;
		}

		@Override
		public ZoneId getZone() {
			return ZoneOffset.UTC;
		}

		@Override
		public Clock withZone(ZoneId zone) {
			throw new UnsupportedOperationException();
		}

	}

}
