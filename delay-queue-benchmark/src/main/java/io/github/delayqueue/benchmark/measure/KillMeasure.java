package io.github.delayqueue.benchmark.measure;

import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.SystemType.Trait;
import io.github.delayqueue.testsupport.ChildJvm;
import io.github.delayqueue.testsupport.RedisServer;

/**
 * What is lost when the process of a consumer is killed in the middle of its work and
 * another takes over, and how long it takes until all that it had begun is begun again.
 * Each system has a Redis of its own, so that their waiting for leases to run out
 * coincides.
 */
final class KillMeasure extends SessionMeasure {

	private static final int TASKS = 1000;

	private static final long WORK_MILLIS = 200;

	/** No lease of any system is longer. */
	private static final long QUIET_MILLIS = 45_000;

	private static final long LIMIT_MILLIS = 60_000;

	/** Too short for leases to run out: what is pending then counts as not lost. */
	private static final long QUICK_LIMIT_MILLIS = 3000;

	private static final long MIDWAY_MILLIS = 40_000;

	KillMeasure() {
		super("kill", "Consumer killed, 1,000 tasks of 200 ms");
	}

	@Override
	public void run(Session session) {
		// handlers that sleep need no processor
		ExecutorService executor = Executors.newCachedThreadPool();
		try {
			List<CompletableFuture<Void>> runs = session.systems()
				.stream()
				.filter((type) -> !type.has(Trait.NO_CONSUMER) && !type.has(Trait.DURABLE) && !type.has(Trait.NODE))
				.map((type) -> CompletableFuture.runAsync(() -> measure(session, type), executor))
				.toList();
			runs.forEach(CompletableFuture::join);
		}
		finally {
			executor.shutdown();
		}
	}

	private void measure(Session session, SystemType type) {
		try {
			session.record(new Result(key(), type.key(), List.of(kill(session, type)), null));
		}
		catch (RuntimeException ex) {
			session.fail(key(), type.key(), ex);
		}
	}

	private Sample kill(Session session, SystemType type) {
		try (RedisServer redis = RedisServer.startNew(); Ledger ledger = Ledger.create(session.size(TASKS))) {
			Servers servers = new Servers(redis.host(), redis.port(), session.postgresUrl());
			try (Subject producer = new Subject(type, servers, Subject.LEAD_MILLIS)) {
				producer.reset();
				return kill(producer, servers, ledger, session.quick() ? QUICK_LIMIT_MILLIS : LIMIT_MILLIS);
			}
		}
	}

	private Sample kill(Subject producer, Servers servers, Ledger ledger, long limitMillis) {
		int count = ledger.size();
		boolean inProcess = producer.type().has(Trait.IN_PROCESS);
		long dueAt = System.currentTimeMillis() + 5000 + producer.fillMillis(count);
		ChildJvm victim = ConsumerProcess
			.start(producer.type(), servers, ledger, WORK_MILLIS, inProcess ? count : 0, dueAt)
			.awaitReady(ConsumerProcess.READY);
		if (!inProcess) {
			producer.fill(0, count, (number) -> dueAt);
		}
		Waits.until(dueAt + MIDWAY_MILLIS, 2, () -> ledger.hasStarted(count * 3 / 10));
		victim.kill();
		// what it had begun is what somebody else has to begin again
		int[] held = ledger.held();
		long killed = Ledger.nowMicros();
		ChildJvm heir = ConsumerProcess.start(producer.type(), servers, ledger, WORK_MILLIS, 0, 0);
		try {
			heir.awaitReady(ConsumerProcess.READY);
			boolean complete = awaitRest(ledger, limitMillis);
			long pending = inProcess ? 0 : producer.system().pending().orElse(0);
			long missing = complete ? 0 : Math.max(0, count - ledger.handled() - pending);
			LongSummaryStatistics again = IntStream.of(held)
				.mapToLong(ledger::lastStartedMicros)
				.filter((micros) -> micros > killed)
				.summaryStatistics();
			Sample sample = Sample.of("lost", missing)
				.with("held", held.length)
				.with("again", again.getCount())
				.with("doubled", ledger.counts().doubled())
				.with("seconds", Math.max(0, (ledger.lastMicros() - killed) / 1e6));
			if (held.length > 0 && again.getCount() == held.length) {
				sample = sample.with("againSeconds", (again.getMax() - killed) / 1e6);
			}
			return sample.with(new Counts(missing, 0, ledger.counts().early()));
		}
		finally {
			ConsumerProcess.end(heir);
		}
	}

	private static boolean awaitRest(Ledger ledger, long limitMillis) {
		Progress progress = new Progress();
		Waits.until(System.currentTimeMillis() + limitMillis, 100,
				() -> ledger.isComplete() || progress.hasEnded(ledger.handled()));
		return ledger.isComplete();
	}

	/**
	 * Whether there is still something going on.
	 */
	private static final class Progress {

		private int handled = -1;

		private long changed;

		boolean hasEnded(int handled) {
			long now = System.currentTimeMillis();
			if (handled != this.handled) {
				this.handled = handled;
				this.changed = now;
			}
			return now - this.changed > QUIET_MILLIS;
		}

	}

}
