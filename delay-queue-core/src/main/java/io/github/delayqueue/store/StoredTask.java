package io.github.delayqueue.store;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;

/**
 * A task as it is found in the store.
 *
 * @param id its id
 * @param state where it is
 * @param at what its index says: when it is due (scheduled), when its lease runs out (in
 * flight), since when it is there (completed, dead)
 * @param dueAt when it is, or for the last delivery was, due; {@code null} for a dead id
 * without a record
 * @param priority its priority
 * @param failures how often a delivery has ended with a failure
 * @param leasesLost how often a lease has run out and was taken over
 * @param envelope its content, {@code null} for a dead id without a record, where it was
 * not asked for, and where it is larger than was asked for
 * @param failure description of the last failure, and of the last run of a recurring task
 * that went well. {@code null} if there was none. Empty if what stands in its place is
 * far longer than one
 */
public record StoredTask(String id, TaskState state, Instant at, @Nullable Instant dueAt, TaskPriority priority,
		int failures, int leasesLost, byte @Nullable [] envelope, byte @Nullable [] failure) {

}
