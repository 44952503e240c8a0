package io.github.delayqueue.journal;

import java.util.List;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;

/**
 * A transaction has committed, and what it had scheduled, cancelled or moved could not be
 * carried out after that, or not all of it. The transaction stays committed. The
 * exception names the first queue and task concerned; its cause says what went wrong with
 * it, and suppressed exceptions what went wrong with others.
 */
public class AfterCommitException extends DelayQueueException {

	private static final long serialVersionUID = 1L;

	private static final int MAX_PRINTED = 10;

	private final String[] taskIds;

	AfterCommitException(String queue, List<String> taskIds, int steps, int failed, RuntimeException cause) {
		super(queue, taskIds.get(0), message(queue, taskIds, steps, failed, cause), cause);
		this.taskIds = taskIds.toArray(String[]::new);
	}

	private static String message(String queue, List<String> taskIds, int steps, int failed, RuntimeException cause) {
		return "The transaction has committed, but " + failed + " of the " + steps
				+ " steps after the commit have failed, the first on queue '" + queue + "', tasks " + printable(taskIds)
				+ ": " + cause.getMessage();
	}

	static String printable(List<String> taskIds) {
		List<String> printed = Names.printable(taskIds.subList(0, Math.min(taskIds.size(), MAX_PRINTED)));
		return (taskIds.size() > MAX_PRINTED) ? printed + " and " + (taskIds.size() - MAX_PRINTED) + " more"
				: printed.toString();
	}

	/** The ids of the tasks of the first step that failed. */
	public List<String> getTaskIds() {
		return List.of(this.taskIds);
	}

}
