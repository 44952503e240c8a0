package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop that claims, in a class of its own because it must not die: whatever a claim
 * throws, the next one is armed. One claim is under way at a time; wakes that arrive
 * meanwhile make for one more.
 */
final class ClaimLoop {

	private static final Logger logger = LoggerFactory.getLogger(ClaimLoop.class);

	private static final Duration FIRST_BACKOFF = Duration.ofMillis(100);

	/** One step: claims and says after what time to come back. */
	@FunctionalInterface
	interface Step {

		Duration claim();

	}

	private final String name;

	private final Step step;

	private final ScheduledExecutorService executor;

	private final Duration pollInterval;

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

	ClaimLoop(String name, Step step, ScheduledExecutorService executor, Duration pollInterval) {
		this.name = name;
		this.step = step;
		this.executor = executor;
		this.pollInterval = pollInterval;
	}

	synchronized void start() {
		if (!this.running) {
			this.running = true;
			this.failures = 0;
			wake(Duration.ZERO);
		}
	}

	/**
	 * Claim no more. A claim under way goes on.
	 */
	synchronized void stop() {
		this.running = false;
		this.wakeAt = null;
		if (this.timer != null) {
			this.timer.cancel(false);
			this.timer = null;
			this.timerNumber++;
		}
	}

	/**
	 * Wait until no claim is under way.
	 * @param deadline of the local monotonic clock
	 * @return whether none is
	 * @throws InterruptedException if interrupted
	 */
	synchronized boolean awaitIdle(long deadline) throws InterruptedException {
		while (this.claiming) {
			long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
			if (left <= 0) {
				return false;
			}
			wait(left);
		}
		return true;
	}

	/**
	 * Claim after the given time, if not earlier anyway.
	 * @param in the time, zero for now
	 */
	synchronized void wake(Duration in) {
		if (!this.running) {
			return;
		}
		long at = System.nanoTime() + min(in, this.pollInterval).toNanos();
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
		}
		long number = ++this.timerNumber;
		try {
			this.timerAt = at;
			this.timer = this.executor.schedule(() -> fire(number), at - System.nanoTime(), TimeUnit.NANOSECONDS);
		}
		catch (RejectedExecutionException ex) {
			this.timer = null;
			logger.debug("The application ends: {} claims no more", this.name);
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
		Duration next = null;
		try {
			next = this.step.claim();
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
		notifyAll();
		this.failures = (next != null) ? 0 : this.failures + 1;
		Long wake = this.wakeAt;
		this.wakeAt = null;
		if (!this.running) {
			return;
		}
		Duration delay = (next != null) ? next : backoff();
		long at = System.nanoTime() + min(delay, this.pollInterval).toNanos();
		arm((next != null && wake != null && wake - at < 0) ? wake : at);
	}

	private Duration backoff() {
		return FIRST_BACKOFF.multipliedBy(1L << Math.min(this.failures - 1, 10));
	}

	private static Duration min(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

}
