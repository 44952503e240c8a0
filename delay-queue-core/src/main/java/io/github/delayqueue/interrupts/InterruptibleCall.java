package io.github.delayqueue.interrupts;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.listener.Delivery;

/**
 * A call of a handler on the current thread, which is interrupted once at most, and not
 * after it has ended. Whoever calls it forgets an interrupt that comes at its end.
 */
final class InterruptibleCall {

	private static final Logger logger = LoggerFactory.getLogger(InterruptibleCall.class);

	private final List<Delivery<?>> deliveries;

	private @Nullable Thread thread = Thread.currentThread();

	InterruptibleCall(List<Delivery<?>> deliveries) {
		this.deliveries = deliveries;
	}

	/** Interrupt it if all that it works on was taken from it. */
	synchronized void interruptIfCancelled() {
		if (this.thread != null && this.deliveries.stream().allMatch((delivery) -> delivery.context().isCancelled())) {
			this.thread.interrupt();
			this.thread = null;
			logger.debug("A handler is interrupted: its tasks were cancelled, replaced or cleared: {}",
					this.deliveries.stream().map((delivery) -> Names.printable(delivery.task().id())).toList());
		}
	}

	synchronized void end() {
		this.thread = null;
	}

}
