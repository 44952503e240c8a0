package io.github.delayqueue.producer;

/**
 * A feature that hangs on a template, and can be left out. The template tells it which
 * queues are used. No method may throw. For wiring. Thread-safe.
 */
public interface ProducerPart {

	/** Tasks have been sent to a queue. Told with each call, on the caller's thread. */
	void scheduled(String queue);

	/** A queue is about to be polled by hand. Told with each claim. */
	void polled(String queue);

	/**
	 * The template starts: this process may be a copy of another one, or the store may
	 * have been emptied.
	 */
	void begin();

}
