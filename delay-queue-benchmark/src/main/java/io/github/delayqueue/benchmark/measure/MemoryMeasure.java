package io.github.delayqueue.benchmark.measure;

import io.github.delayqueue.benchmark.Servers;

/**
 * How much of Redis's memory a pending task takes.
 */
final class MemoryMeasure extends Measure {

	private static final int TASKS = 100_000;

	private static final long SETTLE_MILLIS = 100;

	private static final long SETTLED_BYTES = 1000;

	private static final long SETTLE_LIMIT_MILLIS = 2000;

	MemoryMeasure() {
		super("memory");
	}

	@Override
	Sample measure(Fork fork) {
		int count = fork.size(TASKS);
		Subject subject = fork.subject();
		subject.reset();
		long before = settled(fork.servers());
		subject.fill(0, count, System.currentTimeMillis() + Tasks.FAR_MILLIS);
		double bytes = (settled(fork.servers()) - before) / (double) count;
		long missing = count - subject.system().pending();
		subject.reset();
		return Sample.of("bytes", bytes).with(new Counts(missing, 0, 0));
	}

	/**
	 * What the server uses once it has released what it releases behind our backs, such
	 * as buffers of connections.
	 */
	static long settled(Servers servers) {
		long[] last = { 0 };
		Waits.until(System.currentTimeMillis() + SETTLE_LIMIT_MILLIS, SETTLE_MILLIS, () -> {
			long before = last[0];
			last[0] = Long.parseLong(Usage.redis(servers, "memory").get("used_memory"));
			return Math.abs(last[0] - before) < SETTLED_BYTES;
		});
		return last[0];
	}

}
