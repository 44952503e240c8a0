package io.github.delayqueue.benchmark;

import java.util.Map;

/**
 * A delay queue under measurement, connected to its server. Made by a {@link SystemType},
 * for use by one thread, except its {@link Producer}.
 */
public interface QueueSystem extends AutoCloseable {

	/**
	 * How it is configured, for the report: versions, threads, batch sizes, intervals.
	 * @return names and values, in the order to print
	 */
	Map<String, String> settings();

	/**
	 * The way to enqueue.
	 * @return always the same producer
	 */
	Producer producer();

	/**
	 * Start to consume with as many threads as a competent user would.
	 * @param sink to be called for each task that is due
	 * @return to be closed to stop; returns once it does not touch the server any more. A
	 * new consumption may be started after that
	 */
	Consumption consume(TaskSink sink);

	/**
	 * Remove all tasks, with nothing left in the server, while nothing is consumed.
	 * Connections stay.
	 */
	void reset();

	/**
	 * How many tasks it holds, to find out whether all that was enqueued is there.
	 * @return the number
	 */
	long pending();

	/**
	 * Close connections and threads.
	 */
	@Override
	void close();

	/**
	 * Consumers that run.
	 */
	interface Consumption extends AutoCloseable {

		@Override
		void close();

	}

}
