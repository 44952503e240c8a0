package io.github.delayqueue.listener;

import java.time.Duration;
import java.time.Instant;

import io.github.delayqueue.store.ClaimResult;

/**
 * The pace of the claims from one source: by how much they come later than the store
 * says. A part may have one; without it, claims are on time. Thread-safe.
 */
public interface ClaimPace {

	/**
	 * A wake message has come: something is due after that time.
	 * @param now the time of the store, reckoned from its last answer
	 * @return after what time to claim
	 */
	Duration woken(Duration in, Instant now);

	/** Nothing was claimed, because no worker is free. */
	void skipped();

	/** By how much the next claim is to be later than what the answer to one says. */
	Duration claimed(ClaimResult result);

}
