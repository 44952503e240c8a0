package io.github.delayqueue.producer;

/**
 * A feature that hangs on a template, and can be left out. The template tells it which
 * queues are used. One that implements {@link ManyTasks}, {@link ManagedQueues} or
 * {@link TaskPoller} does that for the template. No method of this one may throw. For
 * wiring. Thread-safe.
 */
public interface ProducerPart {

	/** Tasks have been sent to a queue. Told with each call, on the caller's thread. */
	default void scheduled(String queue) {
	}

	/**
	 * The template starts: this process may be a copy of another one, or the store may
	 * have been emptied.
	 */
	default void begin() {
	}

	/** The template stops, and may start again: nobody is to wait for it. */
	default void end() {
	}

	/** The template has ended for good. */
	default void close() {
		end();
	}

}
