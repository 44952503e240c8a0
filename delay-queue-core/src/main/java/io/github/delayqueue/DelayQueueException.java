package io.github.delayqueue;

import org.jspecify.annotations.Nullable;

/**
 * Root of the exceptions of the delay queue. Its message says what was tried, on which
 * queue and task, and if there is one, the property to change. It is a single line: text
 * from outside is {@linkplain Names#printableText(String) printable}.
 */
public class DelayQueueException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final @Nullable String queue;

	private final @Nullable String taskId;

	public DelayQueueException(@Nullable String queue, @Nullable String taskId, String message) {
		this(queue, taskId, message, null);
	}

	public DelayQueueException(@Nullable String queue, @Nullable String taskId, String message,
			@Nullable Throwable cause) {
		super(PrintableText.of(message), cause);
		this.queue = queue;
		this.taskId = taskId;
	}

	/** The queue concerned, {@code null} if no single one is. */
	public @Nullable String getQueue() {
		return this.queue;
	}

	/** The id of the task concerned, {@code null} if no single one is. */
	public @Nullable String getTaskId() {
		return this.taskId;
	}

}
