package io.github.delayqueue.journal;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Something to be done with tasks once a transaction has committed.
 *
 * @param kind what
 * @param queue the queue
 * @param taskIds the tasks, in order
 * @param action does it
 */
record DeferredStep(Kind kind, String queue, Set<String> taskIds, Runnable action) implements Runnable {

	DeferredStep(Kind kind, String queue, String taskId, Runnable action) {
		this(kind, queue, Set.of(taskId), action);
	}

	DeferredStep {
		taskIds = new LinkedHashSet<>(taskIds);
	}

	@Override
	public void run() {
		this.action.run();
	}

	/**
	 * Whether a task will be there after this, or will not, whatever there was before.
	 * @param queue the queue
	 * @param taskId the task
	 * @return whether this step decides it
	 */
	boolean decidesOn(String queue, String taskId) {
		return this.kind != Kind.RESCHEDULE && this.queue.equals(queue) && this.taskIds.contains(taskId);
	}

	List<String> ids() {
		return List.copyOf(this.taskIds);
	}

	enum Kind {

		SCHEDULE, CANCEL, RESCHEDULE

	}

}
