package io.github.delayqueue.roles;

import java.util.Map;
import java.util.Set;

import io.github.delayqueue.store.TaskStore;

/** Finds tasks in flight by the tokens of the claims that took them. */
public interface ClaimedTokens {

	/**
	 * Look for tasks that were claimed by calls whose answer is lost.
	 * @param tokens the tokens of these claims
	 * @return the ids of those in flight, and their tokens: {@link TaskStore#MAX_BATCH}
	 * at most; a store may overlook some of very many, whose leases have to run out
	 */
	Map<String, String> claimedWith(String queue, Set<String> tokens);

}
