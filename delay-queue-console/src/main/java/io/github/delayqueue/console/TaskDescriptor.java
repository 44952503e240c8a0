package io.github.delayqueue.console;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SanitizableData;

import io.github.delayqueue.CompletedRun;
import io.github.delayqueue.Recurrence;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.producer.TaskDetails;
import io.github.delayqueue.store.StoredTask;

/**
 * A task as the endpoint shows it. Public because the endpoint returns it.
 *
 * @param dueAt when it is, or for its last delivery was, due; {@code null} for a dead id
 * without a record
 * @param stateAt when it is due (scheduled), when its lease runs out (in flight), since
 * when it is over (completed, dead)
 * @param leasesLost how often a lease on it has run out and was taken over
 * @param lastFailure its last failure, {@code null} (over the web: missing) if there was
 * none; without stack trace where payloads are not shown, and in a list without earlier
 * failures too
 * @param lastRun of a recurring task, the last run that went well; {@code null} (over the
 * web: missing) if none is known
 * @param recurrence when it is run again and again, in words; {@code null} (over the web:
 * missing) of a task that is run once or cannot be read, and in a list of one with a
 * large payload
 * @param nextRuns of a recurring task that is scheduled or in flight: when it is run
 * next, that it is due included, three times at most; {@code null} (over the web:
 * missing) of any other, and in a list of one queue
 * @param headers its headers; {@code null} (over the web: missing) in a list
 * @param payload its payload, as the text of the JSON that is stored; {@code ******}
 * where it is not to be shown; {@code null} (over the web: missing) in a list, and of a
 * task that has none or cannot be read
 */
public record TaskDescriptor(String id, TaskState state, @Nullable Instant dueAt, Instant stateAt,
		TaskPriority priority, int failures, int leasesLost, @Nullable TaskFailure lastFailure,
		@Nullable CompletedRun lastRun, @Nullable String recurrence, @Nullable List<Instant> nextRuns,
		@Nullable Map<String, String> headers, @Nullable String payload) implements OperationResponseBody {

	static TaskDescriptor of(StoredTask task, @Nullable Recurrence recurrence, @Nullable List<Instant> nextRuns,
			@Nullable TaskFailure lastFailure, @Nullable CompletedRun lastRun) {
		return new TaskDescriptor(task.id(), task.state(), task.dueAt(), task.at(), task.priority(), task.failures(),
				task.leasesLost(), (lastFailure != null) ? lastFailure.alone() : null, lastRun,
				Objects.toString(recurrence, null), nextRuns, null, null);
	}

	static TaskDescriptor of(TaskDetails task, @Nullable List<Instant> nextRuns, boolean showPayload) {
		String payload = task.payloadJson();
		TaskFailure failure = task.lastFailure();
		return new TaskDescriptor(task.id(), task.state(), task.dueAt(), task.stateAt(), task.priority(),
				task.failures(), task.leasesLost(), (failure == null || showPayload) ? failure : failure.traced(null),
				task.lastRun(), Objects.toString(task.recurrence(), null), nextRuns, task.headers(),
				(payload == null || showPayload) ? payload : SanitizableData.SANITIZED_VALUE);
	}

}
