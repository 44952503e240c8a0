package io.github.delayqueue.benchmark.measure;

import io.github.delayqueue.benchmark.SystemType.Trait;

/**
 * How much of Redis's memory a pending task takes.
 */
final class MemoryMeasure implements Measure {

	private static final long LIMIT_MILLIS = 60_000;

	private static final long SETTLE_MILLIS = 300;

	private final String key;

	private final String title;

	private final int tasks;

	MemoryMeasure(String key, String title, int tasks) {
		this.key = key;
		this.title = title;
		this.tasks = tasks;
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
		int count = session.size(this.tasks);
		new Repetitions(session, this, 0, 1, 60).run((subject) -> isPossible(subject, count),
				(subject) -> measure(session, subject, count));
	}

	private static boolean isPossible(Subject subject, int count) {
		return subject.type().has(Trait.REDIS) && !subject.type().has(Trait.NO_CONSUMER)
				&& !subject.type().has(Trait.BARE_PRODUCER) && subject.fillMillis(count) < LIMIT_MILLIS;
	}

	private static Sample measure(Session session, Subject subject, int count) {
		subject.reset();
		Drain.pause(SETTLE_MILLIS);
		long before = session.redis().usedMemory();
		long far = System.currentTimeMillis() + Tasks.FAR_MILLIS;
		subject.fill(0, count, (number) -> far);
		Drain.pause(SETTLE_MILLIS);
		double bytes = (session.redis().usedMemory() - before) / (double) count;
		long missing = count - subject.system().pending().orElse(count);
		subject.reset();
		return Sample.of("bytes", bytes).with(new Counts(missing, 0, 0));
	}

}
