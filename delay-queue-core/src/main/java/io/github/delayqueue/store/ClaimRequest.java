package io.github.delayqueue.store;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The request of a consumer to claim tasks.
 *
 * @param token the fencing token of this call: unique among all calls of all consumers,
 * without colon
 * @param limit how many tasks at most, 1 to {@link TaskStore#MAX_BATCH}
 * @param lostLeaseLimit how many of them may be tasks whose lease has run out
 * @param ttr how long the leases last
 * @param maxBytes after how many bytes of envelopes and failures to take no further task;
 * at least one is taken however large
 * @param oldestFirst whether to take the oldest due tasks whatever their priority
 * @param retention what to remove on the way
 * @param limits what all consumers together may do at most
 * @param lastChance what to do with tasks that may lose no further lease, {@code null}
 * for the same as with all others
 * @param table the id of the table that the caller keeps the tasks in, empty for none
 */
public record ClaimRequest(String token, int limit, int lostLeaseLimit, Duration ttr, long maxBytes,
		boolean oldestFirst, Retention retention, FlowLimits limits, @Nullable LastChance lastChance, String table) {

	/** Default of {@link #maxBytes()}: 1 MiB, which takes Redis a few milliseconds. */
	public static final long DEFAULT_MAX_BYTES = 1024 * 1024;

	/**
	 * Of tasks that die with the next lease they lose, a claim takes one at most, and
	 * leaves the others where they are: one that ends its process takes along the leases
	 * of all that run beside it.
	 *
	 * @param maxLeaseLosses how many leases a task may lose
	 * @param takes whether the claim takes one of them, or none
	 */
	public record LastChance(int maxLeaseLosses, boolean takes) {

	}

	/**
	 * A claim by priority, without retentions, within the default number of bytes.
	 * @param token the fencing token
	 * @param limit how many tasks at most, those that lost their lease included
	 * @param ttr how long the leases last
	 */
	public static ClaimRequest of(String token, int limit, Duration ttr) {
		return new ClaimRequest(token, limit, limit, ttr, DEFAULT_MAX_BYTES, false, Retention.NONE, FlowLimits.NONE,
				null, "");
	}

	/** This claim of tasks that are kept in a table. */
	public ClaimRequest of(String table) {
		return new ClaimRequest(this.token, this.limit, this.lostLeaseLimit, this.ttr, this.maxBytes, this.oldestFirst,
				this.retention, this.limits, this.lastChance, table);
	}

	/** This claim for one of several partitions, with its share of what holds for all. */
	ClaimRequest share(int partition, int partitions) {
		return new ClaimRequest(this.token, this.limit, this.lostLeaseLimit, this.ttr, this.maxBytes, this.oldestFirst,
				this.retention.share(partitions), this.limits.share(partition, partitions), this.lastChance,
				this.table);
	}

}
