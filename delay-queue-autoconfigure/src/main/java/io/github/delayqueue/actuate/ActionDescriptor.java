package io.github.delayqueue.actuate;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What an action has done, as the endpoint shows it. What does not concern the action is
 * {@code null} (over the web: missing). Public because it is what the endpoint answers.
 *
 * @param action the action
 * @param tasks how many tasks it has changed
 * @param remaining after a redrive or purge without id, how many tasks of the state there
 * are now
 * @param listener after a start or stop, how the container is doing
 */
public record ActionDescriptor(String action, @Nullable Long tasks, @Nullable Long remaining,
		QueueDescriptor.@Nullable Listener listener) implements OperationResponseBody {

}
