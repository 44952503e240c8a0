package io.github.delayqueue.run;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the claims of one who claims: each gets a token of its own, and one in so many
 * takes the oldest tasks whatever their priority. For wiring. Thread-safe.
 */
public final class ClaimTurns {

	private static final int OLDEST_FIRST_EVERY = 8;

	private volatile String tokenPrefix = prefix();

	private final AtomicLong turns = new AtomicLong();

	/** Give other tokens from now on: this process may be a copy of another one. */
	public void renew() {
		this.tokenPrefix = prefix();
	}

	private static String prefix() {
		return Long.toString(UUID.randomUUID().getMostSignificantBits() >>> 4, 36) + "-";
	}

	/**
	 * The turn of one claim, or of one from each source.
	 *
	 * @param number how many there have been, this one included
	 */
	public record ClaimTurn(long number, String token, boolean oldestFirst) {

	}

	/**
	 * The next turn.
	 * @param prefix what the token begins with, empty for nothing
	 */
	public ClaimTurn next(String prefix) {
		long number = this.turns.incrementAndGet();
		return new ClaimTurn(number, prefix + this.tokenPrefix + Long.toString(number, 36),
				number % OLDEST_FIRST_EVERY == 0);
	}

}
