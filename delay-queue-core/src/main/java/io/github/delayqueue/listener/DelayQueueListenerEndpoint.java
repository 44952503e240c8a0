package io.github.delayqueue.listener;

import java.lang.reflect.Type;

/**
 * A handler with everything a container needs to run it. For wiring.
 *
 * @param id unique in the application
 * @param queue the queue
 * @param payloadType what payloads are converted to
 * @param handler the handler
 * @param options what the listener sets for itself
 * @param description names the handler in messages: a method, or where it was registered
 */
public record DelayQueueListenerEndpoint(String id, String queue, Type payloadType, DeliveryHandler handler,
		ListenerOptions options, String description) {

	/**
	 * The same endpoint with another handler.
	 * @param other the handler
	 * @return the endpoint
	 */
	public DelayQueueListenerEndpoint withHandler(DeliveryHandler other) {
		return new DelayQueueListenerEndpoint(this.id, this.queue, this.payloadType, other, this.options,
				this.description);
	}

}
