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
 * @param idGenerated whether the id was made for this task, so that no earlier one can
 * have it; a store may then look for it in fewer places
 */
public record NewTask(String id, byte[] envelope, DueTime due, TaskPriority priority, DuplicatePolicy onDuplicate,
		boolean idGenerated) {

	/**
	 * A task whose id may be known.
	 * @param id its id
	 * @param envelope its content, opaque to the store
	 * @param due when it is due
	 * @param priority its priority
	 * @param onDuplicate what to do if the id is known
	 */
	public NewTask(String id, byte[] envelope, DueTime due, TaskPriority priority, DuplicatePolicy onDuplicate) {
		this(id, envelope, due, priority, onDuplicate, false);
	}

}
