package io.github.delayqueue.retry;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Explicit delays, the last one repeated.
 *
 * @param rungs the delays, at least one
 */
record LadderDelays(List<Duration> rungs) implements RetryDelays {

	@Override
	public Duration after(int failures) {
		return this.rungs.get(Math.min(failures, this.rungs.size()) - 1);
	}

	/** As it stands in the log. */
	@Override
	public String toString() {
		return "after " + this.rungs.stream().map(Duration::toString).collect(Collectors.joining(", "));
	}

}
