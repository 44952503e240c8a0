package io.github.delayqueue.benchmark.measure;

import java.util.List;
import java.util.Locale;

import io.github.delayqueue.QueueCheck;
import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.scale.Operation;
import io.github.delayqueue.benchmark.scale.ScaleRun;
import io.github.delayqueue.benchmark.scale.SizedQueue;
import io.github.delayqueue.benchmark.server.RedisProcess;

/**
 * What calls cost on queues of ten thousand to a million tasks, or ten million if asked
 * for, all in one server; and what the server calls slow meanwhile. Of the delay queue
 * only.
 */
final class ScaleMeasure implements Measure {

	/** Key of the measure. */
	static final String KEY = "size";

	private static final List<Integer> SIZES = List.of(10_000, 100_000, 1_000_000);

	private static final List<Integer> LARGE_SIZES = List.of(10_000, 100_000, 1_000_000, 10_000_000);

	private static final int TRIMMED = 100_000;

	private static final int LARGE_TRIMMED = 1_000_000;

	@Override
	public String key() {
		return KEY;
	}

	@Override
	public String title() {
		return "Cost of calls by the number of pending tasks";
	}

	@Override
	public void run(Session session) {
		if (session.subjects().stream().noneMatch((subject) -> subject.key().equals("ours"))) {
			return;
		}
		List<Integer> sizes = (session.large() ? LARGE_SIZES : SIZES).stream().map(session::size).toList();
		long start = System.nanoTime();
		try (RedisProcess redis = RedisProcess.start();
				ScaleRun run = new ScaleRun(new Servers(redis.host(), redis.port(), null),
						(line) -> session.say("  %s %s", KEY, line))) {
			Sample sample = measure(session, run, sizes);
			String note = run.slow().isEmpty() ? null : String.join("; ", run.slow());
			session.record(new Result(KEY, "ours", List.of(sample.took((System.nanoTime() - start) / 1e9)), note));
		}
	}

	private static Sample measure(Session session, ScaleRun run, List<Integer> sizes) {
		run.fill(sizes);
		List<SizedQueue> queues = run.measure();
		Sample sample = null;
		for (SizedQueue queue : queues) {
			for (Operation operation : Operation.values()) {
				double median = queue.costs(operation).medianMicros();
				double mean = queue.costs(operation).meanMicros();
				String name = name(operation, queue.size());
				sample = (sample == null) ? Sample.of(name, median) : sample.with(name, median);
				sample = sample.with("mean-" + name, mean);
				session.say("  %s %-16s median %.0f us, mean %.0f us", KEY, name, median, mean);
			}
		}
		QueueCheck check = run.check();
		run.trim(session.size(session.large() ? LARGE_TRIMMED : TRIMMED));
		run.clear();
		return sample.with("slow", run.slow().size()).with("findings", check.findings().size());
	}

	/**
	 * The name of a figure.
	 * @param operation the call
	 * @param size number of pending tasks
	 * @return the name
	 */
	static String name(Operation operation, int size) {
		return operation.name().toLowerCase(Locale.ROOT) + "-" + size;
	}

}
