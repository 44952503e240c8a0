package io.github.delayqueue.benchmark.measure;

import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;

import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.SystemType.Trait;
import io.github.delayqueue.benchmark.measure.DrainMeasure.Shape;

/**
 * All measures, in the order in which they are made.
 */
public final class Measures {

	/** Of the open loop, tasks a second. */
	static final List<Integer> OPEN_RATES = List.of(50, 1000, 5000, 20_000, 50_000);

	private static final int MILLION = 1_000_000;

	private static final BiPredicate<SystemType, Integer> OURS = (type, round) -> type.key().equals(OwnMeasure.OURS)
			&& round == 0;

	/**
	 * Others than ours only once, so that a run ends in time; those with a database not.
	 */
	private static final BiPredicate<SystemType, Integer> ONCE = (type, round) -> !type.has(Trait.DURABLE)
			&& (round == 0 || type.has(Trait.SUBJECT));

	private static final BiPredicate<SystemType, Integer> OPEN = ONCE
		.and((type, round) -> !type.has(Trait.BARE_PRODUCER));

	private static final BiPredicate<SystemType, Integer> OTHERS = (type,
			round) -> Set.of("ours", "loop-500", "expiry").contains(type.key()) && round == 0;

	private static final List<Measure> ALL = List.of(
			// first of all, while the process is cold
			new DrainMeasure("drain-cold", "Drain of 50,000 due at once, by a JVM just started",
					new Shape(Fork.TASKS, 0, 0, false, 1)),
			new DrainMeasure("drain", "Drain of 50,000 due at once", new Shape(Fork.TASKS, 0, 0, true, 3)),
			new DrainMeasure("drain-100ms", "Drain of 50,000 due within 100 ms", new Shape(Fork.TASKS, 0.1, 0, true, 1))
				.when(ONCE),
			new DrainMeasure("drain-1s", "Drain of 50,000 due within a second", new Shape(Fork.TASKS, 1, 0, true, 1))
				.when(ONCE),
			new DrainMeasure("drain-1m", "Drain of 1,000,000 due at once", new Shape(MILLION, 0, 0, true, 1))
				.when(OURS),
			new DrainMeasure("drain-others", "Drain of 50,000, 1,000,000 others pending",
					new Shape(Fork.TASKS, 0, MILLION, true, 1))
				.when(OTHERS),
			new EnqueueMeasure("enqueue-1", "Enqueue, 1 thread", Enqueue.ONE_THREAD),
			new EnqueueMeasure("enqueue-16", "Enqueue, 16 threads", Enqueue.THREADS),
			new EnqueueMeasure("enqueue-bulk", "Enqueue, bulk", Enqueue.BULK), new MemoryMeasure(), open(0), open(1),
			open(2), open(3), open(4), new OpenMeasure.Highest().when(OPEN),
			new OpenMeasure(OPEN_RATES.get(0), 100_000).when(OURS),
			// once in a run
			StoredMeasure.usual(), StoredMeasure.large(), new IdleMeasure(), new KillMeasure(), new ProcessesMeasure(),
			new ShareMeasure(), new QueuesMeasure(), new ScaleMeasure());

	private Measures() {
	}

	private static Measure open(int rate) {
		return new OpenMeasure(OPEN_RATES.get(rate), 0).when(OPEN);
	}

	public static List<Measure> all() {
		return ALL;
	}

	/**
	 * Look up a measure that a process makes.
	 * @param key its key
	 * @return the measure
	 */
	static ForkedMeasure forked(String key) {
		return ALL.stream()
			.filter((measure) -> measure.key().equals(key))
			.map(ForkedMeasure.class::cast)
			.findFirst()
			.orElseThrow();
	}

}
