package io.github.delayqueue.console;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Tasks that were looked for in many queues, as the endpoint shows them: those of a part
 * of the queues, or of the tasks of one queue. Public because the endpoint returns it.
 *
 * @param tasks the tasks by queue; queues without any are left out
 * @param unread the queues that could not be looked at
 * @param partly the queues of which only some tasks were looked at, because there are too
 * many, or some are too large. There may be more recurring ones, and more with a text
 * @param looked how many queues, or tasks of the queue, this part has
 * @param total how many of them there are in all parts
 * @param cursor where the next part begins; {@code null} (over the web: missing) if this
 * is the last one
 */
public record FoundTasksDescriptor(Map<String, List<TaskDescriptor>> tasks, List<String> unread, List<String> partly,
		int looked, int total, @Nullable String cursor) implements OperationResponseBody {

}
