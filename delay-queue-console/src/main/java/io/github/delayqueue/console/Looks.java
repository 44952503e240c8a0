package io.github.delayqueue.console;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.github.delayqueue.DelayQueueException;

/**
 * Lets few look at queues at a time, however many ask: looking shares connections with
 * what schedules, claims and settles, and must not make it wait. Thread-safe.
 */
final class Looks {

	/** How many of an instance look at a time. */
	static final int MAX = 4;

	/** How many more wait. Each holds a thread, of the web server for instance. */
	static final int MAX_WAITING = 8;

	/** Longer than a look takes, unless the store is silent. */
	static final Duration PATIENCE = Duration.ofSeconds(1);

	private final Duration patience;

	private final Semaphore permits = new Semaphore(MAX, true);

	Looks(Duration patience) {
		this.patience = patience;
	}

	/**
	 * Look, or wait a second for those before to end.
	 * @throws QueueRequestException if the others do not end in time, or, at once, if too
	 * many wait already
	 */
	<T> T take(Supplier<T> look) {
		if (this.permits.getQueueLength() >= MAX_WAITING) {
			throw refusal((MAX + MAX_WAITING) + " requests are already waiting for Redis on this instance");
		}
		if (!acquire()) {
			throw refusal(MAX + " requests are already waiting for Redis on this instance, for "
					+ this.patience.toSeconds() + " s");
		}
		try {
			return look.get();
		}
		finally {
			this.permits.release();
		}
	}

	/** What the store says of a look that has failed: nothing was to be done by it. */
	static String said(DelayQueueException error) {
		return String.valueOf(error.getMessage()).replace("; it may or may not have been done", "");
	}

	private static QueueRequestException refusal(String sentence) {
		return new QueueRequestException(429, null, sentence + ". Ask again later, and less often", null);
	}

	private boolean acquire() {
		try {
			return this.permits.tryAcquire(this.patience.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

}
