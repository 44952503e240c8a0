package io.github.delayqueue.store;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The terms that a consumer claims on, the same for all of its claims. Immutable.
 *
 * @param leaseDuration how long the leases last
 * @param maxBytes after how many bytes of envelopes and failures to take no further task;
 * at least one is taken however large
 * @param limits what all consumers together may do at most
 * @param maxLeaseLosses how many leases a task may lose. Of tasks that die with the next
 * one a claim takes one at most, and leaves the others where they are: one that ends its
 * process takes along the leases of all that run beside it. {@code null} to take them as
 * all others
 * @param table the id of the table that the consumer keeps the tasks in, empty for none
 */
public record ClaimTerms(Duration leaseDuration, long maxBytes, FlowLimits limits, @Nullable Integer maxLeaseLosses,
		String table) {

	/** Default of {@link #maxBytes()}: 1 MiB, which takes Redis a few milliseconds. */
	public static final long DEFAULT_MAX_BYTES = 1024 * 1024;

	/**
	 * The terms of one who keeps tasks in no table, within the default number of bytes.
	 */
	public static ClaimTerms of(Duration leaseDuration, FlowLimits limits, @Nullable Integer maxLeaseLosses) {
		return new ClaimTerms(leaseDuration, DEFAULT_MAX_BYTES, limits, maxLeaseLosses, "");
	}

	/** These terms with other limits. */
	public ClaimTerms with(FlowLimits limits) {
		return new ClaimTerms(this.leaseDuration, this.maxBytes, limits, this.maxLeaseLosses, this.table);
	}

	/** These terms for tasks that are kept in a table. */
	public ClaimTerms in(String table) {
		return new ClaimTerms(this.leaseDuration, this.maxBytes, this.limits, this.maxLeaseLosses, table);
	}

}
