package io.github.delayqueue.store;

import java.time.Duration;

/** Is told that the earliest event of a queue has become earlier. */
@FunctionalInterface
public interface WakeListener {

	/**
	 * There will be something to claim after that time, of which at most a day is exact.
	 */
	void wake(Duration in);

	/**
	 * Tasks in flight were taken from who holds them: cancelled, replaced or cleared.
	 */
	default void withdrawn() {
	}

}
