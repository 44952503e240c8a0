package io.github.delayqueue.benchmark.measure;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToLongFunction;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.benchmark.BenchTask;
import io.github.delayqueue.benchmark.Call;
import io.github.delayqueue.benchmark.QueueSystem;
import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.SystemType;

/**
 * A system in a run: connected when it is used, and what is known of its speed, to plan
 * by. For one thread.
 */
public final class Subject implements AutoCloseable {

	private static final int CHUNK = 50_000;

	private static final double CAUTIOUS_RATE = 18_000;

	private static final double ONE_BY_ONE_RATE = 5000;

	/** What the definition of lateness demands. */
	public static final long LEAD_MILLIS = 2000;

	private final SystemType type;

	private final long leadMillis;

	private final Servers servers;

	private @Nullable QueueSystem system;

	private double fillRate;

	/**
	 * Describe; nothing is connected yet.
	 * @param type the system
	 * @param servers where its servers are
	 * @param leadMillis how long before they are due tasks are to be enqueued at least
	 */
	public Subject(SystemType type, Servers servers, long leadMillis) {
		this.leadMillis = leadMillis;
		this.type = type;
		this.fillRate = type.calls().contains(Call.BULK) ? CAUTIOUS_RATE : ONE_BY_ONE_RATE;
		this.servers = servers;
	}

	public SystemType type() {
		return this.type;
	}

	public String key() {
		return this.type.key();
	}

	/**
	 * The system.
	 * @return connected
	 */
	public QueueSystem system() {
		QueueSystem system = this.system;
		if (system == null) {
			system = this.type.open(this.servers);
			this.system = system;
		}
		return system;
	}

	/**
	 * Enqueue as fast as the system can.
	 * @param from number of the first task
	 * @param count how many
	 * @param dueAtMillis when each is due
	 */
	void fill(int from, int count, IntToLongFunction dueAtMillis) {
		long nanos = 0;
		for (int done = 0; done < count; done += CHUNK) {
			List<BenchTask> tasks = Tasks.due(from + done, Math.min(CHUNK, count - done), dueAtMillis);
			long start = System.nanoTime();
			int accepted = Enqueue.fastest(this.type)
				.run(system().producer(), tasks, start + TimeUnit.MINUTES.toNanos(2));
			nanos += System.nanoTime() - start;
			if (accepted < tasks.size()) {
				throw new IllegalStateException(this.type.title() + " does not take " + count + " tasks in time");
			}
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
		return this.leadMillis + (long) (1400 * count / Math.min(this.fillRate, 100_000));
	}

	/**
	 * Wait until the store has no more tasks than it should have.
	 * @param others how many it should have
	 * @param limitMillis for how long
	 * @return when it was asked the question that it answered so, in microseconds since
	 * the epoch; zero if it never did
	 */
	long settledMicros(long others, long limitMillis) {
		long[] asked = new long[1];
		boolean settled = Waits.until(System.currentTimeMillis() + limitMillis, 1, () -> {
			asked[0] = Ledger.nowMicros();
			return system().pending().orElse(others) <= others;
		});
		return settled ? asked[0] : 0;
	}

	void reset() {
		system().reset();
	}

	/**
	 * Disconnect. When it is used again, it is connected again.
	 */
	@Override
	public void close() {
		QueueSystem system = this.system;
		this.system = null;
		if (system != null) {
			system.close();
		}
	}

}
