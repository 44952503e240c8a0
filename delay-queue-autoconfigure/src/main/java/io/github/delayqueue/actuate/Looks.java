package io.github.delayqueue.actuate;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Lets few look at queues at a time, however many ask: looking shares connections with
 * what schedules, claims and settles, and must not make it wait. Thread-safe.
 */
final class Looks {

	/** How many of an instance look at a time. */
	static final int MAX = 4;

	/** Longer than a look takes, unless the store is silent. */
	private static final Duration PATIENCE = Duration.ofSeconds(1);

	private final Semaphore permits = new Semaphore(MAX, true);

	/**
	 * Look, or wait a second for those before to end.
	 * @throws QueueRequestException if the others do not end in time
	 */
	<T> T take(Supplier<T> look) {
		if (!acquire()) {
			throw new QueueRequestException(429, null,
					MAX + " requests are already waiting for Redis on this instance, for " + PATIENCE.toSeconds()
							+ " s. Ask again later, and less often",
					null);
		}
		try {
			return look.get();
		}
		finally {
			this.permits.release();
		}
	}

	private boolean acquire() {
		try {
			return this.permits.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

}
