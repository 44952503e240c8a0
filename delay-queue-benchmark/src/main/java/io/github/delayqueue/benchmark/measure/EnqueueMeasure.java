package io.github.delayqueue.benchmark.measure;

import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

import io.github.delayqueue.benchmark.BenchTask;
import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.SystemType.Trait;

/**
 * How many tasks a second a system accepts, due in an hour: 50,000, or as many as it
 * accepts in three seconds; after the same once for warm-up.
 */
final class EnqueueMeasure extends ForkedMeasure {

	private static final long NANOS = TimeUnit.SECONDS.toNanos(3);

	private final Enqueue way;

	EnqueueMeasure(String key, String title, Enqueue way) {
		super(key, title);
		this.way = way;
	}

	@Override
	boolean isPossible(SystemType type) {
		return type.has(Trait.NODE) || this.way.isPossible(type) && !type.has(Trait.BARE_PRODUCER);
	}

	@Override
	Sample measure(Fork fork) {
		int count = fork.size(Fork.TASKS);
		enqueue(fork.subject(), count);
		return enqueue(fork.subject(), count);
	}

	private Sample enqueue(Subject subject, int count) {
		subject.reset();
		List<BenchTask> tasks = Tasks.due(count, System.currentTimeMillis() + Tasks.FAR_MILLIS);
		long start = System.nanoTime();
		int accepted = this.way.run(subject.system().producer(), tasks, start + NANOS);
		double seconds = (System.nanoTime() - start) / 1e9;
		OptionalLong pending = subject.system().pending();
		subject.reset();
		return Sample.of("rate", accepted / seconds)
			.with(new Counts(Math.max(0, accepted - pending.orElse(accepted)),
					Math.max(0, pending.orElse(accepted) - accepted), 0));
	}

}
