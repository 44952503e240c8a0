package io.github.delayqueue.store;

import java.time.Duration;
import java.util.List;

/**
 * The request of a consumer to claim tasks.
 *
 * @param token the fencing token of this call: unique among all calls of all consumers,
 * without colon
 * @param limit how many tasks at most, 1 to {@link TaskStore#MAX_BATCH}
 * @param lostLeaseLimit how many of them may be tasks whose lease has run out
 * @param oldestFirst whether to take the oldest due tasks whatever their priority
 * @param takesLastChance whether one of them may be a task that may lose no further
 * lease; meaningless without {@link ClaimTerms#maxLeaseLosses()}
 * @param terms what holds for all claims of the consumer
 */
public record ClaimRequest(String token, int limit, int lostLeaseLimit, boolean oldestFirst, boolean takesLastChance,
		ClaimTerms terms) {

	/** A claim by priority, within the default number of bytes. */
	public static ClaimRequest of(String token, int limit, Duration leaseDuration) {
		return of(token, limit, ClaimTerms.of(leaseDuration, List.of(), null));
	}

	/** A claim by priority. */
	public static ClaimRequest of(String token, int limit, ClaimTerms terms) {
		return new ClaimRequest(token, limit, limit, false, true, terms);
	}

	/** This claim on other terms. */
	public ClaimRequest on(ClaimTerms terms) {
		return (terms == this.terms) ? this : new ClaimRequest(this.token, this.limit, this.lostLeaseLimit,
				this.oldestFirst, this.takesLastChance, terms);
	}

}
