package io.github.delayqueue.console;

import java.util.List;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * A queue as the endpoint shows it: its figures, or why there are none. Public because
 * the endpoint returns it.
 */
public sealed interface QueueEntry extends OperationResponseBody permits QueueDescriptor, UnreadableQueueDescriptor {

	/** The group of the queue, by how urgent it is. */
	Group group();

	/** The troubles of the queue, the worst first. */
	List<Trouble> trouble();

	/** The containers of this instance that consume the queue, possibly none. */
	List<QueueDescriptor.Listener> listeners();

	/** Queues by what is to be done, the most urgent first. */
	enum Group {

		/** Somebody has to act. */
		DANGER,

		/** Somebody should look at it. */
		WARNING,

		/**
		 * Tasks are due, in flight, dead, wait for a retry or fall due within the hour.
		 * Or some were handled within the last one, as far as this instance has looked.
		 */
		WORKING,

		/** All others. */
		QUIET

	}

}
