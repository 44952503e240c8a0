package io.github.delayqueue.benchmark.measure;

import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

import io.github.delayqueue.benchmark.BenchTask;
import io.github.delayqueue.benchmark.SystemType.Trait;

/**
 * How many tasks a second a system accepts, due in an hour.
 */
final class EnqueueMeasure extends RepeatedMeasure {

	static final int TASKS = 50_000;

	private static final double SECONDS_PER_SYSTEM = 25;

	private final Enqueue way;

	private final int tasks;

	EnqueueMeasure(String key, String title, Enqueue way, int warmUps, int repetitions) {
		this(key, title, way, TASKS, warmUps, repetitions);
	}

	/** The compilers are busy for seconds, and beside them all else is slow. */
	EnqueueMeasure(String key, String title, Enqueue way, int tasks, int warmUps, int repetitions) {
		super(key, title, new Effort(warmUps, repetitions, SECONDS_PER_SYSTEM));
		this.way = way;
		this.tasks = tasks;
	}

	@Override
	boolean isPossible(Session session, Subject subject) {
		return this.way.isPossible(subject.type()) && !subject.type().has(Trait.BARE_PRODUCER);
	}

	@Override
	Sample measure(Session session, Subject subject) {
		int count = session.size(this.tasks);
		subject.reset();
		List<BenchTask> tasks = Tasks.due(count, System.currentTimeMillis() + Tasks.FAR_MILLIS);
		long start = System.nanoTime();
		int accepted = this.way.run(subject.system().producer(), tasks, start + TimeUnit.SECONDS.toNanos(60));
		double seconds = (System.nanoTime() - start) / 1e9;
		OptionalLong pending = subject.system().pending();
		subject.reset();
		Sample sample = Sample.of("rate", accepted / seconds);
		if (accepted < count) {
			return sample.asStopped();
		}
		return sample.with(
				new Counts(Math.max(0, count - pending.orElse(count)), Math.max(0, pending.orElse(count) - count), 0));
	}

}
