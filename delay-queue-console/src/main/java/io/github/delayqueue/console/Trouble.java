package io.github.delayqueue.console;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * Something about a queue that somebody should look at. Public because the endpoint
 * answers it. Immutable.
 *
 * @param code what it is; codes stay as they are
 * @param sentence what is so, with its figures, in English
 * @param values the figures of the sentence in their order, for other languages: numbers,
 * {@code Duration}s, {@code Instant}s and texts
 * @param cost by which queues are put in order: for how many seconds all tasks together
 * have been kept waiting; a task that has died counts as an hour
 */
public record Trouble(String code, Level level, String sentence, String advice, List<Object> values,
		@JsonIgnore long cost) {

	/** How bad it is, the worst first. */
	public enum Level {

		/** Tasks are not handled, or die, or nobody can tell: somebody has to act. */
		DANGER,

		/** It will not end by itself, perhaps. */
		WARNING,

		/** Good to know. */
		NOTE

	}

}
