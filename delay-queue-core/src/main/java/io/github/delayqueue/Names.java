package io.github.delayqueue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * Rules for names of queues and ids of tasks. Public for the packages that take names
 * from outside.
 */
public final class Names {

	/** Longest task id, in bytes of UTF-8. */
	public static final int MAX_TASK_ID_BYTES = 256;

	private static final Duration LEAST = Duration.ofSeconds(-Long.MAX_VALUE);

	/** What the queue for the dead letters of another one has behind its name. */
	private static final String DEAD_LETTERS = ":dead-letters";

	/** Of what is too long: enough of it to know it again. */
	private static final int MAX_PRINTED = 140;

	private static final int MAX_QUEUE_LENGTH = 128;

	private Names() {
	}

	/**
	 * Check the name of a queue, and answer it.
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

	/** Whether {@link #requireQueue(String)} would accept a name. */
	public static boolean isQueue(@Nullable String queue) {
		if (queue == null || queue.isEmpty() || queue.length() > MAX_QUEUE_LENGTH) {
			return false;
		}
		for (int i = 0; i < queue.length(); i++) {
			char c = queue.charAt(i);
			if (!(c >= 'a' && c <= 'z' || c >= '-' && c <= ':' && c != '/' || c >= 'A' && c <= 'Z' || c == '_')) {
				return false;
			}
		}
		return true;
	}

	/**
	 * The queue to which the dead letters of a queue are moved for listeners of dead
	 * letters: a name which may be too long for a queue.
	 */
	public static String deadLettersOf(String queue) {
		return queue + DEAD_LETTERS;
	}

	/**
	 * Check the id of a task, and answer it.
	 * @param queue the queue, for the message
	 * @throws DelayQueueException if it is empty, longer than 256 bytes of UTF-8, or
	 * contains control characters or unpaired surrogates
	 */
	public static String requireTaskId(String queue, @Nullable String taskId) {
		String objection = objectionToTaskId(taskId);
		if (taskId == null || objection != null) {
			throw new DelayQueueException(queue, null, "Task id for queue '" + queue + "' " + objection);
		}
		return taskId;
	}

	/**
	 * The objection to the id of a task, for ids that were found in a store.
	 * @return the end of a sentence about the id, which does not quote it; {@code null}
	 * if {@link #requireTaskId(String, String)} would accept it
	 */
	public static @Nullable String objectionToTaskId(@Nullable String taskId) {
		if (taskId == null || taskId.isEmpty()) {
			return "must not be empty";
		}
		if (isShortAscii(taskId)) {
			return null;
		}
		if (taskId.chars().anyMatch(Character::isISOControl)) {
			return "must not contain control characters";
		}
		if (!StandardCharsets.UTF_8.newEncoder().canEncode(taskId)) {
			return "must not contain unpaired surrogates";
		}
		int bytes = taskId.getBytes(StandardCharsets.UTF_8).length;
		return (bytes <= MAX_TASK_ID_BYTES) ? null
				: "is " + bytes + " bytes long in UTF-8, at most " + MAX_TASK_ID_BYTES + " are allowed";
	}

	/** Nearly all ids are, and this costs a tenth of what looking closer does. */
	private static boolean isShortAscii(String taskId) {
		if (taskId.length() > MAX_TASK_ID_BYTES) {
			return false;
		}
		for (int i = 0; i < taskId.length(); i++) {
			if (taskId.charAt(i) < ' ' || taskId.charAt(i) > '~') {
				return false;
			}
		}
		return true;
	}

	/**
	 * An id as it can stand in a line of a log or in a message:
	 * {@linkplain #printableText(String) printable}, as ids found in a store may contain
	 * anything, and shortened if no task of ours could be called so.
	 */
	public static String printable(String taskId) {
		boolean shortened = taskId.length() > MAX_PRINTED && objectionToTaskId(taskId) != null;
		return printableText(shortened ? taskId.substring(0, MAX_PRINTED) + "…" : taskId);
	}

	/** Class and message of an error, {@linkplain #printableText(String) printable}. */
	public static String printable(Throwable error) {
		return printableText(error.toString());
	}

	/** A duration as people write it: {@code 30s}, {@code 1h30m}, {@code 10s371ms}. */
	public static String printable(Duration duration) {
		// the least one has no opposite, which the formatter takes
		Duration shown = (duration.getSeconds() == Long.MIN_VALUE) ? LEAST : duration;
		return DurationFormatterUtils.print(shown, DurationFormat.Style.COMPOSITE);
	}

	/**
	 * A text from outside as it can stand in a line of a log or in a message: it cannot
	 * begin another line, control a terminal, or show itself in another order than it is
	 * written in.
	 * @return the text, with question marks in place of control characters, separators of
	 * lines and paragraphs, marks that change the direction of writing, and unpaired
	 * surrogates. {@code "null"} for none
	 */
	public static String printableText(@Nullable String text) {
		return PrintableText.of(text);
	}

	/** Ids, each {@linkplain #printable(String) printable}. */
	public static List<String> printable(Collection<String> taskIds) {
		return taskIds.stream().map(Names::printable).toList();
	}

	private static String quoted(@Nullable String name) {
		return (name != null) ? "'" + printable(name) + "'" : "null";
	}

}
