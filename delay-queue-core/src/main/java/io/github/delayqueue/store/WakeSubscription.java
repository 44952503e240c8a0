package io.github.delayqueue.store;

/** A subscription to the wake messages of a queue. */
@FunctionalInterface
public interface WakeSubscription extends AutoCloseable {

	/** End the subscription. Repeating it is harmless. */
	@Override
	void close();

}
