package io.github.delayqueue.actuate;

import java.util.Map;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * All queues as the endpoint shows them. Public because it is what the endpoint answers.
 *
 * @param queues the queues by name, in alphabetical order
 */
public record QueuesDescriptor(Map<String, QueueDescriptor> queues) implements OperationResponseBody {

}
