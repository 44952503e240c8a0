package io.github.delayqueue.benchmark.measure;

import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.delayqueue.benchmark.BenchTask;

/**
 * How many tasks a second a system accepts, due in an hour: 50,000, or as many as it
 * accepts in three seconds; after the same once for warm-up.
 */
final class EnqueueMeasure extends Measure {

	private static final long NANOS = TimeUnit.SECONDS.toNanos(3);

	private final Enqueue way;

	EnqueueMeasure(String key, Enqueue way) {
		super(key);
		this.way = way;
	}

	@Override
	Sample measure(Fork fork) {
		int count = fork.size(Fork.TASKS);
		enqueue(fork.subject(), this.way, count, NANOS);
		return enqueue(fork.subject(), this.way, count, NANOS);
	}

	static Sample enqueue(Subject subject, Enqueue way, int count, long limitNanos) {
		subject.reset();
		List<BenchTask> tasks = Tasks.due(0, count, System.currentTimeMillis() + Tasks.FAR_MILLIS);
		long start = System.nanoTime();
		int accepted = way.run(subject.system().producer(), tasks, start + limitNanos);
		double seconds = (System.nanoTime() - start) / 1e9;
		long pending = subject.system().pending();
		subject.reset();
		return Sample.of("rate", accepted / seconds)
			.with(new Counts(Math.max(0, accepted - pending), Math.max(0, pending - accepted), 0));
	}

}
