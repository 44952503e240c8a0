package io.github.delayqueue.listener;

import java.time.Duration;

/**
 * A running consumer of a queue: claims due tasks and gives them to a handler.
 * Thread-safe.
 */
public interface DelayQueueListenerContainer {

	/** Its id, unique in the application. */
	String getId();

	/** The queue it consumes. */
	String getQueue();

	/** How long the lease on a task lasts, if the task itself does not say. */
	Duration getLeaseDuration();

	/** Start claiming. Without effect if it runs. */
	void start();

	/**
	 * Stop claiming, release tasks that have not been started, and wait for running
	 * handlers for at most the {@code shutdown-timeout}. Tasks that still run then keep
	 * their leases until they end. Without effect if it does not run.
	 */
	void stop();

	/** Whether it has been started and not stopped. */
	boolean isRunning();

	/** How it is doing. */
	ContainerStatus status();

}
