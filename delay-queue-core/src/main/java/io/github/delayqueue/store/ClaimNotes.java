package io.github.delayqueue.store;

import java.util.List;

/**
 * The notes of a claim: all that it noticed besides the tasks that it took.
 *
 * @param orphans ids that were found in an index without a record and are dead now
 * @param leaves whether it left tasks that may lose no further lease where they are,
 * because of {@link ClaimTerms#maxLeaseLosses()}. If it took no task, the time until the
 * next one passes over them
 * @param holders who may hold leases of the queue, if anything is in flight: names of
 * instances, each with what follows it in their tokens
 * @param untended whether it is time for the caller to remove what is over from the
 * source: nobody else is told so within the next second
 */
public record ClaimNotes(List<String> orphans, boolean leaves, List<String> holders, boolean untended) {

	/** Nothing. */
	public static final ClaimNotes NONE = new ClaimNotes(List.of(), false, List.of(), false);

}
