package io.github.delayqueue.console;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

import io.github.delayqueue.groups.GroupFigures;

/**
 * The groups of a queue, as the endpoint shows them. Public because the endpoint returns
 * it.
 *
 * @param total how many groups have tasks that wait, or are paused
 * @param groups of those that were counted the ones with the most due, which come first
 * @param cursor where to go on counting; {@code null} (over the web: missing) if all were
 * counted
 */
public record GroupsDescriptor(long total, List<GroupFigures> groups,
		@Nullable String cursor) implements OperationResponseBody {

}
