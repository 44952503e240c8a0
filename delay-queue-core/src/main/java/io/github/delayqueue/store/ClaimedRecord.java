package io.github.delayqueue.store;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.TaskPriority;

/**
 * A task as it comes out of a claim.
 *
 * @param id its id
 * @param envelope its content
 * @param priority its priority
 * @param dueAt when it was due
 * @param failures how often a delivery has ended with a failure
 * @param leasesLost how often a lease has run out, the one that this claim took over
 * included
 * @param leaseLost whether this claim took it over from a delivery whose lease had run
 * out
 * @param failure the last failure, if a delivery has ended with one; of a recurring task
 * what is kept of its last runs, a failure or not
 */
public record ClaimedRecord(String id, byte[] envelope, TaskPriority priority, Instant dueAt, int failures,
		int leasesLost, boolean leaseLost, byte @Nullable [] failure) {

}
