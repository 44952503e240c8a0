package io.github.delayqueue.benchmark.measure;

import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.scale.Costs;
import io.github.delayqueue.benchmark.scale.Operation;
import io.github.delayqueue.benchmark.scale.ScaleRun;
import io.github.delayqueue.benchmark.scale.SizedQueue;
import io.github.delayqueue.testsupport.RedisServer;

/**
 * What calls cost on queues of ten thousand to a million tasks, or ten million if asked
 * for, all in one server; and what the server calls slow meanwhile. Of the delay queue
 * only.
 */
final class ScaleMeasure extends OwnMeasure {

	/** Key of the measure. */
	static final String KEY = "size";

	private static final List<Integer> SIZES = List.of(10_000, 100_000, 1_000_000);

	private static final List<Integer> LARGE_SIZES = List.of(10_000, 100_000, 1_000_000, 10_000_000);

	private static final int TRIMMED = 100_000;

	private static final int LARGE_TRIMMED = 1_000_000;

	ScaleMeasure() {
		super(KEY, "Cost of calls by the number of pending tasks");
	}

	@Override
	void run(Session session, Subject subject) {
		record(session, KEY, () -> measure(session));
	}

	private static Result measure(Session session) {
		List<Integer> sizes = (session.large() ? LARGE_SIZES : SIZES).stream().map(session::size).distinct().toList();
		long start = System.nanoTime();
		try (RedisServer redis = RedisServer.startNew();
				ScaleRun run = new ScaleRun(new Servers(redis.host(), redis.port(), null),
						(line) -> session.say("  %s %s", KEY, line))) {
			Sample sample = measure(session, run, sizes).took((System.nanoTime() - start) / 1e9);
			return new Result(KEY, OURS, List.of(sample), (run.slow().count() > 0) ? run.slow().text() : null);
		}
	}

	private static Sample measure(Session session, ScaleRun run, List<Integer> sizes) {
		run.control(sizes.get(sizes.size() - 1));
		run.fill(sizes);
		List<SizedQueue> queues = run.measure();
		Sample sample = new Sample(Map.of(), Counts.NONE, false, 0);
		for (SizedQueue queue : queues) {
			for (Operation operation : Operation.values()) {
				Costs costs = queue.costs(operation);
				String name = name(operation, queue.size());
				sample = sample.with(name, costs.medianMicros()).with("mean-" + name, costs.meanMicros());
			}
		}
		run.trim(session.size(session.large() ? LARGE_TRIMMED : TRIMMED));
		run.clear();
		return sample.with("slow", run.slow().count()).with("slowControl", run.slowControl().count());
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
