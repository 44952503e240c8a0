package io.github.delayqueue.listener;

import java.lang.reflect.Type;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.Names;

/**
 * A handler with everything a container needs to run it. For wiring.
 *
 * @param payloadType what payloads are converted to
 * @param options what the listener sets for itself
 * @param description names the handler in messages: a method, or where it was registered
 * @param deadLettersOf the queue whose dead letters are moved to this one as long as the
 * listener runs, {@code null} for none
 */
public record DelayQueueListenerEndpoint(String id, String queue, Type payloadType, DeliveryHandler handler,
		ListenerOptions options, String description, @Nullable String deadLettersOf) {

	/** An endpoint for tasks of a queue. */
	public DelayQueueListenerEndpoint(String id, String queue, Type payloadType, DeliveryHandler handler,
			ListenerOptions options, String description) {
		this(id, queue, payloadType, handler, options, description, null);
	}

	/**
	 * An endpoint for tasks of a queue that have died. They are moved to a queue of their
	 * own, whose name ends with {@code :dead-letters}, and handled there.
	 * @param queue the queue in which they died
	 * @param payloadType what payloads are converted to
	 * @param handler the handler; {@link io.github.delayqueue.convert.DeadLetter} finds
	 * out why a task died
	 * @param options what the listener sets for itself
	 * @param description names the handler in messages
	 */
	public static DelayQueueListenerEndpoint ofDeadLetters(String id, String queue, Type payloadType,
			DeliveryHandler handler, ListenerOptions options, String description) {
		return new DelayQueueListenerEndpoint(id, Names.deadLettersOf(queue), payloadType, handler, options,
				description, queue);
	}

	/** The same endpoint with another handler. */
	public DelayQueueListenerEndpoint withHandler(DeliveryHandler other) {
		return new DelayQueueListenerEndpoint(this.id, this.queue, this.payloadType, other, this.options,
				this.description, this.deadLettersOf);
	}

}
