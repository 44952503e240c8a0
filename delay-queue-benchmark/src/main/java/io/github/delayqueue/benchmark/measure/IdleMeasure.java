package io.github.delayqueue.benchmark.measure;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.SystemType.Trait;
import io.github.delayqueue.testsupport.ChildJvm;
import io.github.delayqueue.testsupport.RedisMonitor;
import io.github.delayqueue.testsupport.RedisServer;

/**
 * What a consumer costs that has nothing to do. Each system has a process and a Redis of
 * its own, so that all can be watched at the same time.
 */
final class IdleMeasure extends SessionMeasure {

	private static final long SETTLE_MILLIS = 10_000;

	private static final long WATCH_MILLIS = 20_000;

	/** How many wait, due in an hour. */
	private static final int TASKS = 1000;

	IdleMeasure() {
		super("idle", "Idle consumer, 1,000 tasks an hour away");
	}

	@Override
	public void run(Session session) {
		List<Idler> idlers = session.systems()
			.stream()
			.filter((type) -> !type.has(Trait.NO_CONSUMER) && !type.has(Trait.DURABLE) && !type.has(Trait.NODE))
			.map((type) -> new Idler(type, session.postgresUrl(), TASKS))
			.toList();
		try {
			idlers.forEach(Idler::awaitReady);
			Waits.pause(session.quick() ? SETTLE_MILLIS / 8 : SETTLE_MILLIS);
			idlers.forEach(Idler::watch);
			Waits.pause(session.quick() ? WATCH_MILLIS / 10 : WATCH_MILLIS);
			for (Idler idler : idlers) {
				session.record(new Result(key(), idler.type.key(), List.of(idler.sample()), null));
			}
		}
		finally {
			idlers.forEach(Idler::close);
		}
	}

	/**
	 * A consumer that is watched.
	 */
	private static final class Idler implements AutoCloseable {

		private final SystemType type;

		private final RedisServer redis = RedisServer.startNew();

		private final Ledger ledger;

		private final ChildJvm child;

		private @Nullable RedisMonitor monitor;

		private double clientSeconds;

		private double serverSeconds;

		private long nanos;

		Idler(SystemType type, @Nullable String postgresUrl, int tasks) {
			this.type = type;
			this.ledger = Ledger.create(tasks);
			this.child = ConsumerProcess.start(type, new Servers(this.redis.host(), this.redis.port(), postgresUrl),
					this.ledger, 0, tasks, System.currentTimeMillis() + Tasks.FAR_MILLIS);
		}

		void awaitReady() {
			this.child.awaitReady(ConsumerProcess.READY);
		}

		void watch() {
			this.serverSeconds = this.redis.cpuSeconds();
			this.clientSeconds = this.child.cpuSeconds();
			this.nanos = System.nanoTime();
			this.monitor = RedisMonitor.start(this.redis.host(), this.redis.port());
		}

		Sample sample() {
			RedisMonitor.Seen seen = (this.monitor != null) ? this.monitor.stop() : new RedisMonitor.Seen(0, 0);
			double seconds = (System.nanoTime() - this.nanos) / 1e9;
			double client = 100 * (this.child.cpuSeconds() - this.clientSeconds) / seconds;
			double server = 100 * (this.redis.cpuSeconds() - this.serverSeconds) / seconds;
			Counts counts = new Counts(0, 0, this.ledger.handled());
			Sample sample = new Sample(Map.of("clientCpu", client), counts, false, seconds);
			if (!this.type.has(Trait.REDIS)) {
				return sample.with("cpu", client);
			}
			return sample.with("serverCpu", server)
				.with("cpu", client + server)
				.with("commands", seen.commands() / seconds)
				.with("inner", seen.inner() / seconds);
		}

		@Override
		public void close() {
			ConsumerProcess.end(this.child);
			this.redis.close();
			this.ledger.close();
		}

	}

}
