package io.github.delayqueue.store;

import java.util.Optional;

/** The role of a {@link TaskStore} that can look up tasks. Thread-safe. */
public interface TaskLookup {

	/**
	 * Look up a task.
	 * @return the task as it is now, empty if there is none
	 */
	Optional<StoredTask> find(String queue, String taskId);

}
