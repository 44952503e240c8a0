package io.github.delayqueue.migration;

import org.jspecify.annotations.Nullable;

/**
 * Finds the payload that belongs to a member of a sorted set. For users.
 *
 * @param <T> what it finds
 */
@FunctionalInterface
public interface MemberReader<T> {

	/**
	 * Find the payload. Called on one thread.
	 * @param stored reads what lies beside the sorted set, in hashes or strings
	 * @return the payload of the task, {@code null} if there is none: then the member is
	 * left where it is, and counted as unreadable
	 * @throws Exception if it cannot be read, with the same consequence
	 */
	@Nullable T read(String member, StoredValues stored) throws Exception;

}
