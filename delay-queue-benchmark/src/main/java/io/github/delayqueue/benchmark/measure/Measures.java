package io.github.delayqueue.benchmark.measure;

import java.util.List;
import java.util.Set;

/**
 * All measures, in the order in which they are made.
 */
public final class Measures {

	private static final int DRAIN = 50_000;

	private static final List<Measure> ALL = List.of(
			new EnqueueMeasure("enqueue-1", "Enqueue, 1 thread", Enqueue.ONE_THREAD),
			new EnqueueMeasure("enqueue-16", "Enqueue, 16 threads", Enqueue.THREADS),
			new EnqueueMeasure("enqueue-bulk", "Enqueue, bulk", Enqueue.BULK),
			new EnqueueMeasure("enqueue-async", "Enqueue, async", Enqueue.ASYNC),
			new DrainMeasure("drain", "Drain of 50,000 due at once", DRAIN, 0, 3, Set.of()));

	private Measures() {
	}

	public static List<Measure> all() {
		return ALL;
	}

}
