package io.github.delayqueue.testsupport;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * A clock that shows what a test sets. Thread-safe.
 */
public final class SettableClock extends Clock {

	private volatile Instant now;

	public SettableClock(Instant now) {
		this.now = now;
	}

	/**
	 * Turn the clock.
	 * @param amount by what, negative to turn it back
	 */
	public synchronized void advance(Duration amount) {
		this.now = this.now.plus(amount);
	}

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
		throw new UnsupportedOperationException("Always UTC");
	}

}
