package io.github.delayqueue.store;

import io.github.delayqueue.TaskPriority;

/**
 * A task to be stored.
 *
 * @param id its id
 * @param envelope its content, opaque to the store; not to be changed afterwards
 * @param due when it is due
 * @param priority its priority
 * @param onDuplicate what to do if the id is known
 */
public record NewTask(String id, byte[] envelope, DueTime due, TaskPriority priority, DuplicatePolicy onDuplicate) {

}
