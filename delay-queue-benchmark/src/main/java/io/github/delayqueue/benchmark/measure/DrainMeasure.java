package io.github.delayqueue.benchmark.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.SystemType.Trait;

/**
 * How many tasks a second a system hands to a handler that does nothing, until its store
 * is empty.
 */
final class DrainMeasure extends ForkedMeasure {

	/** A system that needs longer to get the others is left out. */
	private static final long FILL_LIMIT_MILLIS = 45_000;

	/** A system that needs longer is not measured once more in the same process. */
	private static final long REPEAT_NANOS = TimeUnit.SECONDS.toNanos(5);

	private final Shape shape;

	DrainMeasure(String key, String title, Shape shape) {
		super(key, title);
		this.shape = shape;
	}

	@Override
	boolean isPossible(SystemType type) {
		return !type.has(Trait.NO_CONSUMER);
	}

	@Override
	@Nullable Sample measure(Fork fork) {
		Subject subject = fork.subject();
		if (fork.isStopped() || subject.fillMillis(fork.size(this.shape.others)) > FILL_LIMIT_MILLIS) {
			return null;
		}
		if (this.shape.warm) {
			fork.warmUp();
		}
		int others = (this.shape.others > 0) ? fork.size(this.shape.others) : 0;
		int tasks = fork.size(this.shape.tasks);
		Drain drain = new Drain(subject, tasks, tasks / fork.seconds(this.shape.overSeconds), others);
		List<Sample> samples = new ArrayList<>();
		long start = System.nanoTime();
		do {
			// a second attempt would not be cold
			Drain.Outcome outcome = this.shape.warm ? drain.run() : drain.attempt(1).orElse(null);
			if (outcome == null) {
				return null;
			}
			Sample sample = Sample.of("rate", outcome.rate()).with(outcome.counts());
			samples.add(outcome.complete() ? sample : sample.asStopped());
		}
		while (samples.size() < this.shape.repetitions && System.nanoTime() - start < REPEAT_NANOS);
		subject.reset();
		return Sample.median(samples);
	}

	/**
	 * What is drained.
	 *
	 * @param tasks how many are due
	 * @param overSeconds between the first and the last that is due
	 * @param others how many others wait, due an hour later
	 * @param warm whether the process warms up before
	 * @param repetitions how many drains, of which the median counts
	 */
	record Shape(int tasks, double overSeconds, int others, boolean warm, int repetitions) {

	}

}
