package io.github.delayqueue.store.memory;

import java.time.Duration;

import io.github.delayqueue.limits.GlobalConcurrency;

/** How many tasks of a queue may be in flight. */
record ConcurrencyGate(GlobalConcurrency limit) implements Gate {

	@Override
	public long left(ClaimedQueue queue) {
		return this.limit.most() - queue.inFlight();
	}

	@Override
	public Duration wakeIn(ClaimedQueue queue, boolean took, Duration wakeIn) {
		return (wakeIn.isZero() && left(queue) <= 0) ? queue.waitForDelivery() : wakeIn;
	}

}
