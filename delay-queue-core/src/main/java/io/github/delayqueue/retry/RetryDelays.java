package io.github.delayqueue.retry;

import java.time.Duration;

/**
 * The delays of a policy.
 */
@FunctionalInterface
interface RetryDelays {

	/**
	 * The delay that follows a failure.
	 * @param failures how often the handler has failed by now, at least 1
	 * @return the delay before the next attempt
	 */
	Duration after(int failures);

}
