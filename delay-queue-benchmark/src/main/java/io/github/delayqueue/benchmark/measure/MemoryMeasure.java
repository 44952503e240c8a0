package io.github.delayqueue.benchmark.measure;

import io.github.delayqueue.benchmark.SystemType.Trait;
import io.github.delayqueue.testsupport.RedisServer;

/**
 * How much of Redis's memory a pending task takes.
 */
final class MemoryMeasure extends RepeatedMeasure {

	private static final long LIMIT_MILLIS = 60_000;

	private static final long SETTLE_MILLIS = 100;

	private static final long SETTLED_BYTES = 1000;

	private static final long SETTLE_LIMIT_MILLIS = 2000;

	private final int tasks;

	MemoryMeasure(String key, String title, int tasks) {
		super(key, title, new Effort(0, 1, 60));
		this.tasks = tasks;
	}

	@Override
	boolean isPossible(Session session, Subject subject) {
		return subject.type().has(Trait.REDIS) && !subject.type().has(Trait.NO_CONSUMER)
				&& !subject.type().has(Trait.BARE_PRODUCER)
				&& subject.fillMillis(session.size(this.tasks)) < LIMIT_MILLIS;
	}

	@Override
	Sample measure(Session session, Subject subject) {
		int count = session.size(this.tasks);
		subject.reset();
		long before = settledMemory(session.redis());
		long far = System.currentTimeMillis() + Tasks.FAR_MILLIS;
		subject.fill(0, count, (number) -> far);
		double bytes = (settledMemory(session.redis()) - before) / (double) count;
		long missing = count - subject.system().pending().orElse(count);
		subject.reset();
		return Sample.of("bytes", bytes).with(new Counts(missing, 0, 0));
	}

	/**
	 * What the server uses once it has released what it releases behind our backs, such
	 * as buffers of connections.
	 */
	static long settledMemory(RedisServer redis) {
		long[] last = { 0 };
		Waits.until(System.currentTimeMillis() + SETTLE_LIMIT_MILLIS, SETTLE_MILLIS, () -> {
			long before = last[0];
			last[0] = Long.parseLong(redis.info("memory").get("used_memory"));
			return Math.abs(last[0] - before) < SETTLED_BYTES;
		});
		return last[0];
	}

}
