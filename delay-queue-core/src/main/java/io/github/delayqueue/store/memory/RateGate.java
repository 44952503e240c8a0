package io.github.delayqueue.store.memory;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;

import io.github.delayqueue.limits.RateLimit;

/** How many tasks of a queue may be claimed in a time. */
record RateGate(RatePermits permits) implements Gate {

	/** Rest of who took the last permit. */
	private static final Duration PAUSE = Duration.ofMillis(5);

	/** Rest of who found no permit, and leaves the next ones to the others. */
	private static final Duration AWAY = Duration.ofMillis(50);

	RateGate(RateLimit rate) {
		this(RatePermits.of(rate));
	}

	@Override
	public long left(ClaimedQueue queue) {
		return this.permits.left(queue.noted(), queue.micros());
	}

	@Override
	public void take(ClaimedQueue queue, int count) {
		queue.note(this.permits.since(queue.noted(), queue.micros()) + this.permits.microsFor(count));
	}

	@Override
	public Duration wakeIn(ClaimedQueue queue, boolean took, Duration wakeIn) {
		if (left(queue) > 0) {
			return wakeIn;
		}
		long next = this.permits.since(queue.noted(), queue.micros()) + this.permits.microsFor(1);
		return Collections
			.max(List.of(wakeIn, took ? PAUSE : AWAY, Duration.of(next - queue.micros(), ChronoUnit.MICROS)));
	}

}
