package io.github.delayqueue.producer;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * A clock that stands still until it is turned.
 */
class TurnableClock extends Clock {

	static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private volatile Instant now = START;

	void turn(Duration by) {
		this.now = this.now.plus(by);
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
		throw new UnsupportedOperationException();
	}

}
