package io.github.delayqueue.producer;

import java.io.Serializable;

import io.github.delayqueue.ScheduleOutcome;

/**
 * The result of scheduling a task.
 *
 * @param taskId the task's id, generated if none was given
 */
public record ScheduleResult(String queue, String taskId, ScheduleOutcome outcome) implements Serializable {

	/** Whether the task was stored; {@code false} if it was rejected as a duplicate. */
	public boolean isAccepted() {
		return this.outcome != ScheduleOutcome.REJECTED;
	}

}
