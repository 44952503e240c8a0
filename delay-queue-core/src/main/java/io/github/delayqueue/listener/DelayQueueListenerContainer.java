package io.github.delayqueue.listener;

import java.time.Duration;

/**
 * A running consumer of a queue: claims what is due and gives it to a handler.
 * Thread-safe.
 */
public interface DelayQueueListenerContainer {

	/**
	 * Its id.
	 * @return the id, unique in the application
	 */
	String getId();

	/** The queue it consumes. */
	String getQueue();

	/** How long the lease on a task lasts, if the task itself does not say. */
	Duration getTtr();

	/**
	 * Start to claim. Without effect if it runs.
	 */
	void start();

	/**
	 * Stop to claim, hand back what has not been started, and wait for running handlers
	 * for at most the {@code shutdown-timeout}. What still runs then keeps its lease
	 * until it ends. Without effect if it does not run.
	 */
	void stop();

	/**
	 * Whether it claims.
	 * @return whether it has been started and not stopped
	 */
	boolean isRunning();

	/** How it is doing. */
	ContainerStatus status();

}
