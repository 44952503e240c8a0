package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop that claims, in a class of its own because it must not die: whatever a claim
 * throws, the next one is armed. One claim is under way at a time; wakes that arrive
 * meanwhile make for one more.
 * <p>
 * Loops that did something at the same moment do not go on doing so: they spread over the
 * poll interval by and by.
 */
final class ClaimLoop {

	private static final Logger logger = LoggerFactory.getLogger(ClaimLoop.class);

	private static final Duration FIRST_BACKOFF = Duration.ofMillis(100);

	/** How often a loop that is idle waits for a tick less, so that loops spread. */
	private static final double SHORTER = 0.05;

	/**
	 * Polls of many idle queues that are due within so small a part of the poll interval
	 * are made one after the other by a thread that is awake: what waking it costs is
	 * shared.
	 */
	private static final int TICKS_PER_POLL = 10;

	private final String name;

	/** Claims once and says after what time to come back. */
	private final Supplier<Duration> claimer;

	/** Whether the next claim will probably fail, and take as long as it can for that. */
	private final BooleanSupplier suspect;

	private final ContainerThreads.Calls calls;

	private final LongSupplier nanoTime;

	private final Duration pollInterval;

	private final DoubleSupplier random;

	private final long tickNanos;

	private boolean running;

	private boolean claiming;

	private @Nullable Future<?> timer;

	/** When the timer fires; meaningless without one. */
	private long timerAt;

	/** Of the latest timer. An earlier one may fire though it has been cancelled. */
	private long timerNumber;

	/** A wake that arrived while claiming: when to claim again. */
	private @Nullable Long wakeAt;

	private int failures;

	/** Whether it has waited for a poll interval since it started. */
	private boolean spread;

	ClaimLoop(String name, Supplier<Duration> claimer, BooleanSupplier suspect, ContainerThreads.Calls calls,
			LongSupplier nanoTime, Duration pollInterval, DoubleSupplier random) {
		this.name = name;
		this.claimer = claimer;
		this.suspect = suspect;
		this.calls = calls;
		this.nanoTime = nanoTime;
		this.pollInterval = pollInterval;
		this.random = random;
		this.tickNanos = Math.max(1, pollInterval.toNanos() / TICKS_PER_POLL);
	}

	synchronized void start() {
		if (!this.running) {
			this.running = true;
			this.failures = 0;
			this.spread = false;
			wake(Duration.ZERO);
		}
	}

	/** Claim no more. A claim under way goes on. */
	synchronized void stop() {
		this.running = false;
		this.wakeAt = null;
		if (this.timer != null) {
			this.timer.cancel(false);
			this.timer = null;
		}
	}

	/** Whether no claim is under way. */
	synchronized boolean isIdle() {
		return !this.claiming;
	}

	/** Claim after the given time, if not earlier anyway. */
	synchronized void wake(Duration in) {
		if (!this.running) {
			return;
		}
		long at = this.nanoTime.getAsLong() + min(in, this.pollInterval).toNanos();
		if (!this.claiming) {
			arm(at);
		}
		else if (this.wakeAt == null || at - this.wakeAt < 0) {
			this.wakeAt = at;
		}
	}

	private void arm(long at) {
		if (this.timer != null && this.timerAt - at <= 0) {
			return;
		}
		if (this.timer != null) {
			this.timer.cancel(false);
			this.timer = null;
		}
		long number = ++this.timerNumber;
		try {
			this.timerAt = at;
			this.timer = this.calls.schedule(() -> fire(number), Duration.ofNanos(at - this.nanoTime.getAsLong()));
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The application ends: {} no longer claims tasks", this.name);
		}
	}

	private void fire(long number) {
		synchronized (this) {
			if (!this.running || this.claiming || number != this.timerNumber) {
				return;
			}
			this.claiming = true;
			this.timer = null;
		}
		if (!this.calls.handOver(this::claim, this.suspect.getAsBoolean())) {
			claim();
		}
	}

	private void claim() {
		Duration next = null;
		try {
			next = this.claimer.get();
		}
		catch (Throwable ex) {
			logger.debug("A claim of {} failed", this.name, ex);
		}
		finally {
			claimed(next);
		}
	}

	private synchronized void claimed(@Nullable Duration next) {
		this.claiming = false;
		this.failures = (next != null) ? 0 : this.failures + 1;
		Long wake = this.wakeAt;
		this.wakeAt = null;
		if (!this.running) {
			return;
		}
		long at = this.nanoTime.getAsLong() + delay(next).toNanos();
		if (next != null && next.compareTo(this.pollInterval) >= 0) {
			at -= Math.floorMod(at, this.tickNanos);
		}
		arm((next != null && wake != null && wake - at < 0) ? wake : at);
	}

	private Duration delay(@Nullable Duration next) {
		if (next == null) {
			return part(0.75,
					min(FIRST_BACKOFF.multipliedBy(1L << Math.min(this.failures - 1, 10)), this.pollInterval));
		}
		if (next.compareTo(this.pollInterval) < 0) {
			return next;
		}
		if (!this.spread) {
			this.spread = true;
			return part(0, this.pollInterval);
		}
		boolean shorter = this.random.getAsDouble() < SHORTER;
		return shorter ? this.pollInterval.minusNanos(this.tickNanos) : this.pollInterval;
	}

	private Duration part(double least, Duration whole) {
		return Duration.ofNanos((long) (whole.toNanos() * (least + (1 - least) * this.random.getAsDouble())));
	}

	private static Duration min(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

}
