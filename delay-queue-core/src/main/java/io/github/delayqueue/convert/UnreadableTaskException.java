package io.github.delayqueue.convert;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayQueueException;

/**
 * The envelope or payload of a task cannot be read as what is asked for, now or ever: the
 * task goes to {@link io.github.delayqueue.TaskState#DEAD}. Its message says where and
 * why, and never contains the payload. For that reason it has no cause: the messages of a
 * JSON library quote what they read.
 */
public class UnreadableTaskException extends DelayQueueException {

	private static final long serialVersionUID = 1L;

	public UnreadableTaskException(@Nullable String queue, @Nullable String taskId, String message) {
		super(queue, taskId, message);
	}

}
