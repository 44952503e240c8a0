package io.github.delayqueue.store.redis;

import io.github.delayqueue.store.WakeListener;
import io.github.delayqueue.store.WakeSubscription;

/** Tells listeners of the messages on channels. A part does. Thread-safe. */
@FunctionalInterface
public interface WakeMessages {

	/**
	 * Let a listener be told, also each time that messages may have been missed.
	 * @return ends it
	 */
	WakeSubscription subscribe(byte[] channel, WakeListener listener);

}
