package io.github.delayqueue.benchmark.measure;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.benchmark.Servers;

/**
 * A process that measures one system, seen from inside: what is measured first is cold.
 */
final class Fork {

	/** What is drained at a time, unless a measure says something else. */
	static final int TASKS = 50_000;

	private static final Logger logger = LoggerFactory.getLogger(Fork.class);

	private static final int WARM_TASKS = 4 * TASKS;

	private static final long WARM_NANOS = TimeUnit.SECONDS.toNanos(5);

	private final Subject subject;

	private final Servers servers;

	private final boolean quick;

	private final Map<String, Sample> samples = new HashMap<>();

	private boolean warm;

	Fork(Subject subject, Servers servers, boolean quick) {
		this.subject = subject;
		this.servers = servers;
		this.quick = quick;
	}

	Subject subject() {
		return this.subject;
	}

	Servers servers() {
		return this.servers;
	}

	/** A size, or less where a smoke test is enough. */
	int size(int size) {
		return this.quick ? Math.max(50, size / 250) : size;
	}

	/** A time, or less where a smoke test is enough. */
	double seconds(double seconds) {
		return this.quick ? seconds / 20 : seconds;
	}

	/**
	 * What this process has measured so far.
	 * @param measure key of the measure
	 * @return the sample, empty if there is none
	 */
	Optional<Sample> sample(String measure) {
		return Optional.ofNullable(this.samples.get(measure));
	}

	/**
	 * Whether the system could not even drain what it had at the beginning.
	 * @return whether there is no use in draining more
	 */
	boolean isStopped() {
		return sample("drain-cold").map(Sample::stopped).orElse(false);
	}

	/**
	 * The same rule for every system: it drains 50,000 tasks again and again until it has
	 * handled 200,000 or 5 seconds are over. Once in a process.
	 */
	void warmUp() {
		long start = System.nanoTime();
		for (int done = 0; !this.warm && !this.quick && !isStopped() && done < WARM_TASKS
				&& System.nanoTime() - start < WARM_NANOS; done += TASKS) {
			new Drain(this.subject, TASKS).run();
		}
		this.warm = true;
	}

	/**
	 * Measure.
	 * @param measure what to measure
	 * @return what came out; of a measure that was left out or failed, a note
	 */
	Result run(Measure measure) {
		System.gc();
		try {
			Sample sample = measure.measure(this);
			if (sample == null) {
				return new Result(measure.key(), this.subject.key(), null, "left out");
			}
			this.samples.put(measure.key(), sample);
			return new Result(measure.key(), this.subject.key(), sample, null);
		}
		catch (RuntimeException ex) {
			logger.error("{} of {} failed", measure.key(), this.subject.key(), ex);
			this.subject.reset();
			return Result.failed(measure.key(), this.subject.key(), ex);
		}
	}

}
