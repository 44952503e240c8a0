package io.github.delayqueue.retry;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/** The delays of another policy, for fewer attempts. */
record CappedPolicy(RedeliveryPolicy delays, int maxAttempts) implements RedeliveryPolicy {

	@Override
	public @Nullable Duration nextDelay(int failures, @Nullable Throwable cause) {
		return (failures < this.maxAttempts) ? this.delays.nextDelay(failures, cause) : null;
	}

}
