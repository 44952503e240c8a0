package io.github.delayqueue.benchmark.measure;

import java.util.List;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.SystemType.Trait;

/**
 * All measures, in the order in which a process makes them.
 */
public final class Measures {

	/** Of the open loop, tasks a second. */
	static final List<Integer> OPEN_RATES = List.of(50, 1000, 5000, 20_000, 50_000);

	private static final int MILLION = 1_000_000;

	private static final BiPredicate<SystemType, Integer> FIRST = (type, round) -> round == 0;

	/**
	 * Others than ours only once, so that a run ends in time; those with a disk to wait
	 * for not.
	 */
	private static final BiPredicate<SystemType, Integer> OPEN = (type, round) -> !type.has(Trait.DURABLE)
			&& (round == 0 || type.has(Trait.SUBJECT));

	private static final List<Measure> ALL = List.of(
			// first of all, while the process is cold
			new DrainMeasure("drain-cold", Fork.TASKS, false, 1), new DrainMeasure("drain", Fork.TASKS, true, 3),
			new DrainMeasure("drain-1m", MILLION, true, 1)
				.when(FIRST.and((type, round) -> type.has(Trait.SUBJECT) && !type.has(Trait.DURABLE))),
			new EnqueueMeasure("enqueue-1", Enqueue.ONE_THREAD), new EnqueueMeasure("enqueue-16", Enqueue.THREADS),
			new EnqueueMeasure("enqueue-bulk", Enqueue.BULK),
			new MemoryMeasure().when((type, round) -> type.has(Trait.REDIS)), open(0), open(1), open(2), open(3),
			open(4), new OpenMeasure.Highest().when(OPEN),
			new IdleMeasure().when(FIRST.and((type, round) -> !type.has(Trait.DURABLE) && !type.has(Trait.NODE))));

	/** Also what is measured only if it is named. */
	private static final List<Measure> KNOWN = Stream.concat(ALL.stream(), Stream.of(new QuietMeasure())).toList();

	private Measures() {
	}

	private static Measure open(int rate) {
		return new OpenMeasure(OPEN_RATES.get(rate)).when(OPEN);
	}

	public static List<Measure> all() {
		return ALL;
	}

	public static List<Measure> known() {
		return KNOWN;
	}

	/**
	 * Look up a measure.
	 * @param key its key
	 * @return the measure
	 */
	static Measure named(String key) {
		return KNOWN.stream().filter((measure) -> measure.key().equals(key)).findFirst().orElseThrow();
	}

}
