package io.github.delayqueue.benchmark.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * How many tasks a second, all due at once, a system hands to a handler that does
 * nothing, until its store is empty.
 */
final class DrainMeasure extends Measure {

	/** A system that needs longer is not measured once more in the same process. */
	private static final long REPEAT_NANOS = TimeUnit.SECONDS.toNanos(5);

	private final int tasks;

	private final boolean warm;

	private final int repetitions;

	/**
	 * Plan.
	 * @param key name in options and results
	 * @param tasks how many are due
	 * @param warm whether the process warms up before
	 * @param repetitions how many drains, of which the median counts
	 */
	DrainMeasure(String key, int tasks, boolean warm, int repetitions) {
		super(key);
		this.tasks = tasks;
		this.warm = warm;
		this.repetitions = repetitions;
	}

	@Override
	@Nullable Sample measure(Fork fork) {
		if (fork.isStopped()) {
			return null;
		}
		if (this.warm) {
			fork.warmUp();
		}
		Drain drain = new Drain(fork.subject(), fork.size(this.tasks));
		List<Sample> samples = new ArrayList<>();
		long start = System.nanoTime();
		do {
			// a second attempt would not be cold
			Sample sample = this.warm ? drain.run() : drain.attempt(1).orElse(null);
			if (sample == null) {
				return null;
			}
			samples.add(sample);
		}
		while (samples.size() < this.repetitions && System.nanoTime() - start < REPEAT_NANOS);
		fork.subject().reset();
		return Sample.median(samples);
	}

}
