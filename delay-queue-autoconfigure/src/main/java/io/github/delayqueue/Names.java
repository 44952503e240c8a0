package io.github.delayqueue;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * What queues and tasks may be called. Public for the packages that take names from
 * outside.
 */
public final class Names {

	/** Longest task id, in bytes of UTF-8. */
	public static final int MAX_TASK_ID_BYTES = 256;

	private static final Pattern QUEUE = Pattern.compile("[A-Za-z0-9_\\-.:]{1,128}");

	private Names() {
	}

	/**
	 * Check the name of a queue.
	 * @param queue the name
	 * @return the name
	 * @throws DelayQueueException if it is not 1 to 128 letters, digits and
	 * {@code _ - . :}
	 */
	public static String requireQueue(@Nullable String queue) {
		if (!isQueue(queue)) {
			throw new DelayQueueException(queue, null, "Queue name " + quoted(queue)
					+ " is not allowed: use 1 to 128 letters, digits, '_', '-', '.' and ':'");
		}
		return queue;
	}

	/**
	 * Whether a name is fit for a queue.
	 * @param queue the name
	 * @return whether {@link #requireQueue(String)} would accept it
	 */
	public static boolean isQueue(@Nullable String queue) {
		return queue != null && QUEUE.matcher(queue).matches();
	}

	/**
	 * Check the id of a task.
	 * @param queue the queue, for the message
	 * @param taskId the id
	 * @return the id
	 * @throws DelayQueueException if it is empty, longer than 256 bytes of UTF-8, or
	 * contains control characters or unpaired surrogates
	 */
	public static String requireTaskId(String queue, @Nullable String taskId) {
		if (taskId == null || taskId.isEmpty()) {
			throw new DelayQueueException(queue, taskId, "Task id for queue '" + queue + "' must not be empty");
		}
		if (taskId.chars().anyMatch(Character::isISOControl)) {
			throw new DelayQueueException(queue, null,
					"Task id for queue '" + queue + "' must not contain control characters");
		}
		if (!StandardCharsets.UTF_8.newEncoder().canEncode(taskId)) {
			throw new DelayQueueException(queue, null,
					"Task id for queue '" + queue + "' must not contain unpaired surrogates");
		}
		int bytes = taskId.getBytes(StandardCharsets.UTF_8).length;
		if (bytes > MAX_TASK_ID_BYTES) {
			throw new DelayQueueException(queue, null, "Task id for queue '" + queue + "' is " + bytes
					+ " bytes long in UTF-8, at most " + MAX_TASK_ID_BYTES + " are allowed");
		}
		return taskId;
	}

	private static String quoted(@Nullable String name) {
		if (name == null) {
			return "null";
		}
		String printable = name.replaceAll("\\p{Cntrl}", "?");
		return "'" + ((printable.length() > 140) ? printable.substring(0, 140) + "…" : printable) + "'";
	}

}
