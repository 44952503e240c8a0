package io.github.delayqueue.benchmark.measure;

import java.util.List;

import io.github.delayqueue.benchmark.BenchTask;
import io.github.delayqueue.benchmark.QueueSystem;
import io.github.delayqueue.benchmark.SystemType;

/**
 * A system that is measured, and what is known of its speed, to plan by. For one thread.
 */
final class Subject {

	/** Between the last call that enqueues and the first task that is due, at least. */
	private static final long LEAD_MILLIS = 700;

	private static final int CHUNK = 50_000;

	private static final double CAUTIOUS_RATE = 18_000;

	private final SystemType type;

	private final QueueSystem system;

	private double fillRate = CAUTIOUS_RATE;

	Subject(SystemType type, QueueSystem system) {
		this.type = type;
		this.system = system;
	}

	SystemType type() {
		return this.type;
	}

	String key() {
		return this.type.key();
	}

	QueueSystem system() {
		return this.system;
	}

	/**
	 * Enqueue as fast as the system can.
	 * @param first number of the first
	 * @param count how many
	 * @param dueAtMillis when all are due
	 */
	void fill(int first, int count, long dueAtMillis) {
		long nanos = 0;
		for (int done = 0; done < count; done += CHUNK) {
			List<BenchTask> tasks = Tasks.due(first + done, Math.min(CHUNK, count - done), dueAtMillis);
			long start = System.nanoTime();
			this.system.producer().scheduleAll(tasks);
			nanos += System.nanoTime() - start;
		}
		if (count >= 1000) {
			this.fillRate = count * 1e9 / nanos;
		}
	}

	/**
	 * How long before they are due to begin to enqueue so many, with a good margin.
	 * @param count number of tasks
	 * @return milliseconds
	 */
	long fillMillis(int count) {
		return LEAD_MILLIS + (long) (1400 * count / Math.min(this.fillRate, 100_000));
	}

	/**
	 * Wait until the store has no more tasks.
	 * @param limitMillis for how long
	 * @return when it was asked the question that it answered so, in microseconds since
	 * the epoch; zero if it never did
	 */
	long settledMicros(long limitMillis) {
		long[] asked = new long[1];
		boolean settled = Waits.until(System.currentTimeMillis() + limitMillis, 1, () -> {
			asked[0] = Ledger.nowMicros();
			return this.system.pending() <= 0;
		});
		return settled ? asked[0] : 0;
	}

	void reset() {
		this.system.reset();
	}

}
