package io.github.delayqueue.benchmark.measure;

import java.util.List;

import io.github.delayqueue.testsupport.ChildJvm;
import io.github.delayqueue.testsupport.RedisMonitor;
import io.github.delayqueue.testsupport.RedisServer;

/**
 * What an application with listeners for many queues takes of threads, connections and
 * processor while nothing is to be done, beside one with a single queue. Of the delay
 * queue only.
 */
final class QueuesMeasure extends OwnMeasure {

	/** Key of the measure. */
	static final String KEY = "queues";

	private static final List<Integer> QUEUES = List.of(1, 1000);

	private static final int WARM_UPS = 10;

	private static final long SETTLE_MILLIS = 10_000;

	private static final long WATCH_MILLIS = 15_000;

	QueuesMeasure() {
		super(KEY, "Idle application with 1 and with 1,000 queues");
	}

	@Override
	void run(Session session, Subject subject) {
		QUEUES.forEach((queues) -> record(session, KEY + "-" + queues, () -> measure(session, queues)));
	}

	private static Result measure(Session session, int queues) {
		try (RedisServer redis = RedisServer.startNew();
				ChildJvm child = ChildJvm
					.of(QueuesProcess.class, redis.host(), String.valueOf(redis.port()), String.valueOf(queues))
					.options(ConsumerProcess.MEMORY)
					.longLived()
					.patience(ConsumerProcess.PATIENCE)
					.start()
					.awaitReady(ConsumerProcess.READY)) {
			double first = Double.parseDouble(child.ask("work"));
			for (int i = 0; i < WARM_UPS && !session.quick(); i++) {
				child.ask("work");
			}
			Waits.pause(session.quick() ? SETTLE_MILLIS / 10 : SETTLE_MILLIS);
			long start = System.nanoTime();
			double clientBefore = child.cpuSeconds();
			double serverBefore = redis.cpuSeconds();
			Waits.pause(session.quick() ? WATCH_MILLIS / 10 : WATCH_MILLIS);
			double seconds = (System.nanoTime() - start) / 1e9;
			Sample sample = Sample.of("threads", Double.parseDouble(child.ask("threads")))
				.with("subscriptions", redis.text("CLIENT", "LIST", "TYPE", "pubsub").lines().count())
				.with("clientCpu", 100 * (child.cpuSeconds() - clientBefore) / seconds)
				.with("serverCpu", 100 * (redis.cpuSeconds() - serverBefore) / seconds)
				.with("commands", commands(redis))
				.with("firstMillis", first)
				.with("workMillis", Double.parseDouble(child.ask("work")));
			return new Result(KEY + "-" + queues, OURS, List.of(sample), null);
		}
	}

	private static double commands(RedisServer redis) {
		RedisMonitor monitor = RedisMonitor.start(redis.host(), redis.port());
		long start = System.nanoTime();
		Waits.pause(3000);
		return monitor.stop().commands() * 1e9 / (System.nanoTime() - start);
	}

}
