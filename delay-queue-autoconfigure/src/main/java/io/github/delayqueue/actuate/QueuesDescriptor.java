package io.github.delayqueue.actuate;

import java.util.Map;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * All queues as the endpoint shows them. Public because the endpoint returns it.
 *
 * @param queues the queues by name, in alphabetical order; those whose figures cannot be
 * read say why
 * @param total how many queues there are of those that were asked for
 */
public record QueuesDescriptor(Map<String, QueueEntry> queues, int total) implements OperationResponseBody {

}
