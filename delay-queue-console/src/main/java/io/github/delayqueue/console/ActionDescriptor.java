package io.github.delayqueue.console;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The result of an action, as the endpoint shows it. Values that do not concern the
 * action are {@code null} (over the web: missing). Public because the endpoint returns
 * it.
 *
 * @param tasks how many tasks it has changed
 * @param remaining after a redrive or delete without id, how many tasks of the state
 * there are now. After a cancel of a group, how many of it still wait
 * @param listener after a start or stop, how the container is doing
 * @param cursor where to go on, of those that are done some at a time; {@code null} (over
 * the web: missing) if there is nothing left to do
 * @param id of the new task, after a copy
 */
public record ActionDescriptor(String action, @Nullable Long tasks, @Nullable Long remaining,
		QueueDescriptor.@Nullable Listener listener, @Nullable String cursor,
		@Nullable String id) implements OperationResponseBody {

}
