package io.github.delayqueue.retry;

import java.time.Duration;
import java.util.List;

/**
 * Explicit delays, the last one repeated.
 *
 * @param rungs the delays, at least one
 */
record LadderDelays(List<Duration> rungs) implements Delays {

	@Override
	public Duration after(int failures) {
		return this.rungs.get(Math.min(failures, this.rungs.size()) - 1);
	}

}
