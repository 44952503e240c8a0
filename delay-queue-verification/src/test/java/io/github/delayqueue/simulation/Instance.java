package io.github.delayqueue.simulation;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Random;
import java.util.function.Supplier;

import io.github.delayqueue.faults.HistoryLog;

/**
 * A process, from its start to its end, with clocks of its own. Whoever comes after it
 * has another name.
 */
final class Instance {

	/** By so much the time of day may be wrong. */
	private static final int SKEW_MILLIS = 2000;

	private final String slot;

	private final int number;

	private final String name;

	private final Timeline timeline;

	private final Random random;

	private final HistoryLog log;

	private final long nanoOffset;

	private final int skewMillis;

	private boolean dead;

	private long pausedUntil;

	/**
	 * Create a process.
	 * @param skewed whether its time of day is wrong
	 */
	Instance(String slot, int number, Timeline timeline, SimulationLog log, Random random, boolean skewed) {
		this.slot = slot;
		this.number = number;
		this.name = slot + "-" + number;
		this.timeline = timeline;
		this.random = random;
		this.nanoOffset = random.nextLong();
		this.skewMillis = skewed ? random.nextInt(2 * SKEW_MILLIS) - SKEW_MILLIS : 0;
		this.log = new HistoryLog((line) -> {
			if (!isDead()) {
				log.add(this.name, line);
			}
		}, timeline::millis);
	}

	String slot() {
		return this.slot;
	}

	String name() {
		return this.name;
	}

	Timeline timeline() {
		return this.timeline;
	}

	Random random() {
		return this.random;
	}

	HistoryLog log() {
		return this.log;
	}

	boolean isDead() {
		return this.dead;
	}

	void die() {
		this.dead = true;
		this.timeline.end(this);
	}

	long pausedUntil() {
		return this.pausedUntil;
	}

	void pause(long nanos) {
		this.pausedUntil = Math.max(this.pausedUntil, this.timeline.now() + nanos);
	}

	/** Its monotonic clock, which began somewhere. */
	long nanoTime() {
		return this.timeline.now() + this.nanoOffset;
	}

	/** Its time of day. */
	Clock clock() {
		return new SimulatedClock(() -> this.timeline.instant().plusMillis(this.skewMillis));
	}

	@Override
	public String toString() {
		return this.name;
	}

	/** A clock that shows what it is told. */
	static final class SimulatedClock extends Clock {

		private final Supplier<Instant> time;

		SimulatedClock(Supplier<Instant> time) {
			this.time = time;
		}

		@Override
		public ZoneId getZone() {
			return ZoneOffset.UTC;
		}

		@Override
		public Clock withZone(ZoneId zone) {
			return this;
		}

		@Override
		public Instant instant() {
			return this.time.get();
		}

	}

}
