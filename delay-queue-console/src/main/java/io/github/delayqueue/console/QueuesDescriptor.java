package io.github.delayqueue.console;

import java.util.List;
import java.util.Map;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * A page of queues as the endpoint shows it. Public because the endpoint returns it.
 *
 * @param queues the queues by name; those whose figures cannot be read say why
 * @param order their names, the most urgent first: by group, then danger and warning by
 * the age of the oldest due task, working ones by how much they have handled, then by
 * name
 * @param groups how many queues of those that were asked for are in each group; where not
 * all are on the page, a few seconds old
 * @param total how many queues there are of those that were asked for
 */
public record QueuesDescriptor(Map<String, QueueEntry> queues, List<String> order,
		Map<QueueEntry.Group, Integer> groups, int total) implements OperationResponseBody {

}
