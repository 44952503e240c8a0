package io.github.delayqueue.testsupport;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A clock that stands still until it is turned, forward or backward. Thread-safe.
 */
public final class MutableClock extends Clock {

	private final AtomicReference<Instant> now;

	private final Duration passing;

	public MutableClock(Instant now) {
		this(new AtomicReference<>(now), Duration.ZERO);
	}

	private MutableClock(AtomicReference<Instant> now, Duration passing) {
		this.now = now;
		this.passing = passing;
	}

	public void set(Instant now) {
		this.now.set(now);
	}

	/**
	 * Turn the clock.
	 * @param by by how much, negative for backward
	 */
	public void advance(Duration by) {
		this.now.updateAndGet((now) -> now.plus(by));
	}

	/**
	 * The same clock for somebody who is slow: time passes after each look at it.
	 * @param by how much passes
	 */
	public Clock passingWhenRead(Duration by) {
		return new MutableClock(this.now, by);
	}

	@Override
	public Instant instant() {
		return this.now.getAndUpdate((now) -> now.plus(this.passing));
	}

	@Override
	public ZoneId getZone() {
		return ZoneOffset.UTC;
	}

	@Override
	public Clock withZone(ZoneId zone) {
		throw new UnsupportedOperationException("This clock is UTC");
	}

}
