package io.github.delayqueue.store;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The terms that a consumer claims on, the same for all of its claims. Immutable.
 *
 * @param leaseDuration how long the leases last
 * @param maxBytes after how many bytes of envelopes and failures to take no further task;
 * at least one is taken however large
 * @param parts what features ask of claims
 * @param maxLeaseLosses how many leases a task may lose. Of tasks that die with the next
 * one a claim takes one at most, and leaves the others where they are: one that ends its
 * process takes along the leases of all that run beside it. {@code null} to take them as
 * all others
 * @param table the id of the table that the consumer keeps the tasks in, empty for none
 */
public record ClaimTerms(Duration leaseDuration, long maxBytes, List<ClaimPart> parts, @Nullable Integer maxLeaseLosses,
		String table) {

	/** Default of {@link #maxBytes()}: 1 MiB, which takes Redis a few milliseconds. */
	public static final long DEFAULT_MAX_BYTES = 1024 * 1024;

	/**
	 * The terms of one who keeps tasks in no table, within the default number of bytes.
	 */
	public static ClaimTerms of(Duration leaseDuration, List<ClaimPart> parts, @Nullable Integer maxLeaseLosses) {
		return new ClaimTerms(leaseDuration, DEFAULT_MAX_BYTES, parts, maxLeaseLosses, "");
	}

	/** These terms with other parts. */
	public ClaimTerms with(List<ClaimPart> parts) {
		return new ClaimTerms(this.leaseDuration, this.maxBytes, parts, this.maxLeaseLosses, this.table);
	}

	/** These terms for tasks that are kept in a table. */
	public ClaimTerms in(String table) {
		return new ClaimTerms(this.leaseDuration, this.maxBytes, this.parts, this.maxLeaseLosses, table);
	}

}
