package io.github.delayqueue.console;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

import io.github.delayqueue.TaskState;

/**
 * A page of the tasks of a state as the endpoint shows it. Public because the endpoint
 * returns it.
 *
 * @param tasks the tasks: scheduled ones by due time, those in flight by when their lease
 * runs out, completed and dead ones by when they became so
 * @param cursor where to go on with those of a cause; {@code null} (over the web:
 * missing) behind the last one, and of others
 */
public record TasksDescriptor(TaskState state, int offset, int limit, List<TaskDescriptor> tasks,
		@Nullable String cursor) implements OperationResponseBody {

}
