package io.github.delayqueue.store;

import java.util.List;

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
 * @param parts wishes of features beside the kernel
 */
public record NewTask(String id, byte[] envelope, DueTime due, TaskPriority priority, Replacement onDuplicate,
		boolean generated, List<TaskPart> parts) {

	/**
	 * A task.
	 * @throws IllegalArgumentException if a part cannot be of such a task
	 */
	public NewTask {
		parts = List.copyOf(parts);
		for (TaskPart part : parts) {
			String objection = part.objection(!generated, onDuplicate, envelope);
			if (objection != null) {
				throw new IllegalArgumentException(part.name() + " " + objection);
			}
		}
	}

	/** A task without parts. */
	public NewTask(String id, byte[] envelope, DueTime due, TaskPriority priority, Replacement onDuplicate,
			boolean generated) {
		this(id, envelope, due, priority, onDuplicate, generated, List.of());
	}

	/** A task whose id somebody has chosen. */
	public NewTask(String id, byte[] envelope, DueTime due, TaskPriority priority, Replacement onDuplicate) {
		this(id, envelope, due, priority, onDuplicate, false);
	}

	/** Whether it is due as another one is, and has the same parts. */
	public boolean isDueLike(NewTask other) {
		return this.due.equals(other.due) && this.parts.equals(other.parts);
	}

}
