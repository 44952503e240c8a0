package io.github.delayqueue.store;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.TaskPriority;

/**
 * A task to be stored.
 *
 * @param id its id
 * @param envelope its content, opaque to the store; not to be changed afterwards
 * @param due when it is due
 * @param priority its priority
 * @param onDuplicate what to do if the id is known
 * @param generated whether the id was made for this task, and so never used before: a
 * store need not look for what it knows of it, and returns that it was created. Should it
 * be known all the same, because a driver sent the task twice, it is still the same task
 * that is stored once
 */
public record NewTask(String id, byte[] envelope, DueTime due, TaskPriority priority, DuplicatePolicy onDuplicate,
		boolean generated) {

	/**
	 * A task.
	 * @throws IllegalArgumentException if it is debounced and its id is generated, it is
	 * not to replace others, or its envelope is no JSON object
	 */
	public NewTask {
		if (due.isDebounced()
				&& (generated || onDuplicate != DuplicatePolicy.REPLACE || !Generation.isMarkable(envelope))) {
			throw new IllegalArgumentException("A task that is debounced replaces one of the same id, by an object");
		}
	}

	/** A task whose id somebody has chosen. */
	public NewTask(String id, byte[] envelope, DueTime due, TaskPriority priority, DuplicatePolicy onDuplicate) {
		this(id, envelope, due, priority, onDuplicate, false);
	}

	/** The same task, due at another time. */
	public NewTask withDue(DueTime due) {
		return new NewTask(this.id, this.envelope, due, this.priority, this.onDuplicate, this.generated);
	}

}
