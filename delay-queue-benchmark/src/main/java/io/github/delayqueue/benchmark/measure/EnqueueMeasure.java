package io.github.delayqueue.benchmark.measure;

import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

import io.github.delayqueue.benchmark.BenchTask;
import io.github.delayqueue.benchmark.SystemType.Trait;

/**
 * How many tasks a second a system accepts, due in an hour.
 */
final class EnqueueMeasure implements Measure {

	static final int TASKS = 50_000;

	private final String key;

	private final String title;

	private final Enqueue way;

	private final int repetitions;

	EnqueueMeasure(String key, String title, Enqueue way, int repetitions) {
		this.key = key;
		this.title = title;
		this.way = way;
		this.repetitions = repetitions;
	}

	@Override
	public String key() {
		return this.key;
	}

	@Override
	public String title() {
		return this.title;
	}

	@Override
	public void run(Session session) {
		int count = session.size(TASKS);
		new Repetitions(session, this, this.repetitions / 3, this.repetitions, 30).run(
				(subject) -> this.way.isPossible(subject.type()) && !subject.type().has(Trait.BARE_PRODUCER),
				(subject) -> measure(subject, count));
	}

	private Sample measure(Subject subject, int count) {
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
