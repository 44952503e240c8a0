package io.github.delayqueue.convert;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;

/**
 * The envelope or payload of a task cannot be read as what is asked for, now or ever: the
 * task goes to {@link io.github.delayqueue.TaskState#DEAD}. Its message says where and
 * why, and never contains the payload. For that reason it has no cause: the messages of a
 * JSON library quote what they read.
 */
public class UnreadableTaskException extends DelayQueueException {

	private static final long serialVersionUID = 1L;

	private final String problem;

	public UnreadableTaskException(@Nullable String queue, @Nullable String taskId, String message) {
		super(queue, taskId, message);
		this.problem = String.valueOf(getMessage());
	}

	private UnreadableTaskException(String queue, String taskId, String subject, String predicate) {
		super(queue, taskId, subject + " " + predicate);
		this.problem = "It " + predicate;
	}

	/** Of a task that is named in the message. */
	static UnreadableTaskException ofTask(String queue, String taskId, String predicate) {
		return new UnreadableTaskException(queue, taskId,
				"Task '" + Names.printable(taskId) + "' of queue '" + queue + "'", predicate);
	}

	/** The problem, in a sentence that names neither the task nor its queue. */
	public String getProblem() {
		return this.problem;
	}

}
