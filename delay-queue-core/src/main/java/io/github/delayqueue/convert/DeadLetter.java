package io.github.delayqueue.convert;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import io.github.delayqueue.TaskFailure;

/**
 * The two additional headers of a dead letter that a listener handles. For those who
 * handle dead letters without a parameter for the failure.
 */
public final class DeadLetter {

	/** Header with the id that the task had. */
	public static final String TASK_ID = "dead-letter-task-id";

	/** Header with the last failure of the task, as JSON. */
	public static final String FAILURE = "dead-letter-failure";

	private DeadLetter() {
	}

	/**
	 * Why a task died, by the headers of its dead letter: its last failure; one that says
	 * so if it is not there or cannot be read.
	 */
	public static TaskFailure failure(Map<String, String> headers) {
		return FailureJson.read(headers.getOrDefault(FAILURE, "").getBytes(StandardCharsets.UTF_8));
	}

}
