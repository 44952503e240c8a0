package io.github.delayqueue.store;

import java.time.Duration;

/** Is told that the earliest event of a queue has become earlier. */
@FunctionalInterface
public interface WakeListener {

	/**
	 * There will be something to claim.
	 * @param in after what time, zero for now; what lies beyond a day is approximate
	 */
	void wake(Duration in);

}
