package io.github.delayqueue.benchmark.measure;

import java.util.List;
import java.util.Set;

/**
 * All measures, in the order in which they are made.
 */
public final class Measures {

	private static final int DRAIN = 50_000;

	private static final List<Measure> ALL = List.of(
			new EnqueueMeasure("enqueue-1", "Enqueue, 1 thread", Enqueue.ONE_THREAD, 2, 5),
			new EnqueueMeasure("enqueue-16", "Enqueue, 16 threads", Enqueue.THREADS, 5, 5),
			new EnqueueMeasure("enqueue-bulk", "Enqueue, bulk", Enqueue.BULK, 12, 9),
			new EnqueueMeasure("enqueue-async", "Enqueue, async", Enqueue.ASYNC, 9, 9),
			new DrainMeasure("drain", "Drain of 50,000 due at once", DRAIN, 0, 4, 5, Set.of()),
			new DrainMeasure("drain-1m", "Drain of 1,000,000 due at once", 20 * DRAIN, 0, 0, 2, Set.of("ours", "loop")),
			new DrainMeasure("drain-10k", "Drain of 50,000, 10,000 others pending", DRAIN, 10_000, 0, 2, Set.of()),
			new DrainMeasure("drain-others", "Drain of 50,000, 1,000,000 others pending", DRAIN, 1_000_000, 0, 2,
					Set.of()),
			new EnqueueMeasure("journal-1", "Schedule with a journal, 1 thread", Enqueue.ONE_THREAD, 5000, 3, 6)
				.amongDurable(),
			new EnqueueMeasure("journal-16", "Schedule with a journal, 16 threads", Enqueue.THREADS, 20_000, 3, 6)
				.amongDurable(),
			new EnqueueMeasure("journal-bulk", "Schedule with a journal, bulk", Enqueue.BULK, 50_000, 5, 9)
				.amongDurable(),
			new DrainMeasure("journal-drain", "Drain of 50,000 with a journal", DRAIN, 0, 1, 3, Set.of())
				.amongDurable(),
			StoredMeasure.usual(), StoredMeasure.large(),
			LatenessMeasure.calm("late", "Lateness at 50 tasks a second", 0),
			LatenessMeasure.calm("late-others", "Lateness at 50 tasks a second, 100,000 others pending", 100_000),
			LatenessMeasure.busy("late-busy", "Lateness at half of the drain rate"),
			new MemoryMeasure("memory-100k", "Memory per pending task, 100,000 tasks", 100_000),
			new MemoryMeasure("memory-1m", "Memory per pending task, 1,000,000 tasks", 1_000_000),
			new IdleMeasure("idle", "Idle consumer, empty queue", 0),
			new IdleMeasure("idle-others", "Idle consumer, 1,000 tasks an hour away", 1000),
			new KillMeasure("kill-slow", "Consumer killed, 1,000 tasks of 200 ms", 1000, 200),
			new KillMeasure("kill-drain", "Consumer killed in a drain of 50,000", DRAIN, 0), new ProcessesMeasure(),
			new ShareMeasure(), new QueuesMeasure(), new ScaleMeasure());

	private Measures() {
	}

	public static List<Measure> all() {
		return ALL;
	}

}
