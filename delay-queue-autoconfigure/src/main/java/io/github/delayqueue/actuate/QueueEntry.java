package io.github.delayqueue.actuate;

import java.util.List;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * A queue as the endpoint shows it: its figures, or why there are none. Public because
 * the endpoint returns it.
 */
public sealed interface QueueEntry extends OperationResponseBody permits QueueDescriptor, UnreadableQueueDescriptor {

	/**
	 * The containers of this instance that consume the queue.
	 * @return the containers, possibly none
	 */
	List<QueueDescriptor.Listener> listeners();

}
