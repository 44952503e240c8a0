package io.github.delayqueue.journal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

import io.github.delayqueue.QueueStats;

/**
 * How many tasks of a queue are in the table only. A small number is counted whenever
 * somebody asks. What takes longer is counted by the loader now and then, so that no
 * answer waits for it: such numbers are as old as a hundred times what counting them
 * took, but at most five minutes. The loader also sees every ten seconds whether a small
 * number still is one. More than {@link QueueStats#MOST_STORED} are not counted at all.
 * Thread-safe.
 */
final class StoredCounts {

	private static final long QUICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	/** So few are counted quickly, whatever a busy machine says. */
	private static final long FEW = 10_000;

	private static final long QUICK_AGE_NANOS = TimeUnit.SECONDS.toNanos(10);

	private static final long MAX_AGE_NANOS = TimeUnit.MINUTES.toNanos(5);

	private static final int COST = 100;

	private final JournalTable table;

	private final LongSupplier nanoTime;

	private final Map<String, Counted> queues = new ConcurrentHashMap<>();

	StoredCounts(JournalTable table) {
		this(table, System::nanoTime);
	}

	StoredCounts(JournalTable table, LongSupplier nanoTime) {
		this.table = table;
		this.nanoTime = nanoTime;
	}

	/**
	 * Numbers of tasks by how long they have to wait, as {@link QueueStats#delays()}.
	 * @param queue the queue
	 * @param nowMillis the time now
	 * @param untilMillis what is due after that is in the table only
	 * @return a number for each bound, and one for what comes after them
	 */
	long[] get(String queue, long nowMillis, long untilMillis) {
		Counted known = this.queues.get(queue);
		if (known == null || known.isQuick()) {
			known = count(queue, nowMillis, untilMillis);
		}
		return known.numbers.clone();
	}

	/**
	 * Whether it is time to count again.
	 * @param queue the queue
	 * @return whether it is
	 */
	boolean isOld(String queue) {
		Counted known = this.queues.get(queue);
		return known == null || this.nanoTime.getAsLong() - known.at > known.maxAgeNanos();
	}

	/**
	 * Count.
	 * @param queue the queue
	 * @param nowMillis the time now
	 * @param untilMillis what is due after that is in the table only
	 * @return what was counted
	 */
	Counted count(String queue, long nowMillis, long untilMillis) {
		List<Long> bounds = new ArrayList<>(QueueStats.DELAY_BOUNDS.size());
		for (Duration bound : QueueStats.DELAY_BOUNDS) {
			bounds.add(nowMillis + bound.toMillis());
		}
		long start = this.nanoTime.getAsLong();
		long[] numbers = this.table.countStored(queue, untilMillis, bounds, QueueStats.MOST_STORED);
		Counted counted = new Counted(numbers, this.nanoTime.getAsLong() - start, start);
		this.queues.put(queue, counted);
		return counted;
	}

	/** Numbers, and when and how quickly they were counted. */
	static final class Counted {

		private final long[] numbers;

		private final long tookNanos;

		private final long at;

		Counted(long[] numbers, long tookNanos, long at) {
			this.numbers = numbers;
			this.tookNanos = tookNanos;
			this.at = at;
		}

		long maxAgeNanos() {
			return isQuick() ? QUICK_AGE_NANOS : Math.min(COST * this.tookNanos, MAX_AGE_NANOS);
		}

		boolean isQuick() {
			return this.tookNanos < QUICK_NANOS || LongStream.of(this.numbers).sum() < FEW;
		}

	}

}
