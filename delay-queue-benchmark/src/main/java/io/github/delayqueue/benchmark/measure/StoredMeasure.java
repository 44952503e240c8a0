package io.github.delayqueue.benchmark.measure;

import java.time.Duration;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

import io.github.delayqueue.benchmark.QueueSystem;
import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.scale.Costs;
import io.github.delayqueue.benchmark.scale.StoredQueue;
import io.github.delayqueue.benchmark.server.PostgresProcess;
import io.github.delayqueue.benchmark.systems.JournaledDelayQueue;
import io.github.delayqueue.testsupport.RedisServer;

/**
 * Tasks that wait in the table of a journal only, because they are a month away: what
 * they take of Redis, what calls cost beside them, how fast tasks come into Redis when
 * their time comes, and how late these are handled. Of the delay queue with a journal
 * only, with servers of its own; with five million only if asked for.
 */
final class StoredMeasure extends OwnMeasure {

	private static final int TASKS = 100_000;

	private static final int LARGE_TASKS = 5_000_000;

	private static final int CALLS = 1000;

	private static final int LOADED = 50_000;

	private static final int LATE = 500;

	/** As often as lateness is measured without a journal; the median counts. */
	private static final int LATE_ROUNDS = 3;

	private static final long LATE_MILLIS = 20;

	/**
	 * A warm-up takes as long as a round, with so many times the tasks: at the rate of
	 * the rounds compilers would be busy for minutes.
	 */
	private static final int WARM_UP_TASKS = 20;

	/** Tasks that are due within it are in Redis. */
	private static final Duration HORIZON = Duration.ofSeconds(10);

	/**
	 * So much before they come within the horizon tasks are to be in the table: a loader
	 * leaves alone for some seconds what somebody else may be giving to Redis.
	 */
	private static final long REST_MILLIS = 7000;

	private static final long LIMIT_MILLIS = 60_000;

	private final int tasks;

	private final boolean large;

	private StoredMeasure(String key, String title, int tasks, boolean large) {
		super(key, title, JOURNAL);
		this.tasks = tasks;
		this.large = large;
	}

	/**
	 * Beside as many tasks as can be scheduled in a few seconds.
	 * @return the measure
	 */
	static StoredMeasure usual() {
		return new StoredMeasure("journal-stored", "Tasks a month away, and coming within the horizon of the journal",
				TASKS, false);
	}

	/**
	 * Beside five million, if the run is to be a large one.
	 * @return the measure
	 */
	static StoredMeasure large() {
		return new StoredMeasure("journal-stored-large", "The same beside five million tasks a month away", LARGE_TASKS,
				true);
	}

	@Override
	void run(Session session, Subject subject) {
		if (this.large && !session.large()) {
			session.say("  %s is left out without -Dlarge=true", key());
			return;
		}
		record(session, key(), () -> measure(session));
	}

	private Result measure(Session session) {
		long start = System.nanoTime();
		try (RedisServer redis = RedisServer.startNew();
				PostgresProcess postgres = PostgresProcess.start();
				Subject subject = new Subject(JournaledDelayQueue.withHorizon(HORIZON), servers(redis, postgres),
						HORIZON.toMillis() + REST_MILLIS)) {
			Sample sample = measure(session, subject, servers(redis, postgres)).took((System.nanoTime() - start) / 1e9);
			return new Result(key(), JOURNAL, List.of(sample), null);
		}
	}

	private static Servers servers(RedisServer redis, PostgresProcess postgres) {
		return new Servers(redis.host(), redis.port(), postgres.url());
	}

	private Sample measure(Session session, Subject subject, Servers servers) {
		int count = session.size(this.tasks);
		JournaledDelayQueue system = (JournaledDelayQueue) subject.system();
		subject.reset();
		long memory = MemoryMeasure.settled(servers);
		long start = System.nanoTime();
		StoredQueue queue = new StoredQueue(system.operations(), JournaledDelayQueue.QUEUE);
		queue.fill(count);
		double seconds = (System.nanoTime() - start) / 1e9;
		Sample sample = Sample.of("tasks", count)
			.with("fill", count / seconds)
			.with("inRedis", system.inRedis())
			.with("bytes", (MemoryMeasure.settled(servers) - memory) / (double) count);
		session.say("  %s filled in %.1f s", key(), seconds);
		queue.call(session.size(CALLS));
		sample = with(with(sample, "stats", queue.stats()), "find", queue.find());
		int late = session.size(LATE);
		int warmUp = late * WARM_UP_TASKS;
		int rounds = session.quick() ? 1 : LATE_ROUNDS;
		Drain.Outcome outcome = late(warmUp, warmUp + rounds * late, subject);
		List<double[]> lateness = IntStream.range(0, rounds)
			.mapToObj((round) -> outcome.lateness(warmUp + round * late, warmUp + (round + 1) * late))
			.toList();
		sample = sample.with("p50", median(lateness, 50))
			.with("p99", median(lateness, 99))
			.with("load", loadRate(session.size(LOADED), subject, system))
			.with(outcome.ledger().counts().plus(new Counts(Math.max(0, count - system.rows()), 0, 0)));
		subject.reset();
		return sample;
	}

	private static double median(List<double[]> rounds, int percent) {
		double[] sorted = rounds.stream()
			.mapToDouble((lateness) -> Percentiles.of(lateness, percent))
			.sorted()
			.toArray();
		return sorted[sorted.length / 2];
	}

	private static Sample with(Sample sample, String name, Costs costs) {
		return sample.with(name, costs.medianMicros() / 1000).with(name + "Max", costs.maxMicros() / 1000);
	}

	/** First so many for a warm-up, and then, slowly, the others. */
	private static Drain.Outcome late(int warmUp, int count, Subject subject) {
		IntToLongFunction offset = (number) -> (number < warmUp) ? number * LATE_MILLIS / WARM_UP_TASKS
				: (number - warmUp + warmUp / WARM_UP_TASKS) * LATE_MILLIS;
		try (Ledger ledger = Ledger.create(count)) {
			QueueSystem.Consumption consumption = subject.system().consume(ledger.sink(0));
			try {
				long due = System.currentTimeMillis() + subject.fillMillis(count);
				subject.fill(0, count, (number) -> due + offset.applyAsLong(number));
				boolean complete = Waits.until(due + offset.applyAsLong(count) + LIMIT_MILLIS, 20, ledger::isComplete);
				return new Drain.Outcome(due, ledger, complete, 0, offset);
			}
			finally {
				consumption.close();
			}
		}
	}

	/** Tasks a second, from the first that is seen in Redis until all are there. */
	private static double loadRate(int count, Subject subject, JournaledDelayQueue system) {
		long due = System.currentTimeMillis() + subject.fillMillis(count);
		subject.fill(0, count, (number) -> due);
		long[] first = new long[2];
		long until = due - HORIZON.toMillis() + LIMIT_MILLIS;
		boolean started = Waits.until(until, 5, () -> {
			first[0] = system.inRedis();
			first[1] = System.nanoTime();
			return first[0] > 0;
		});
		boolean complete = started && Waits.until(until, 5, () -> system.inRedis() >= count);
		if (!complete) {
			throw new IllegalStateException("Tasks are not loaded in time: " + system.inRedis() + " of " + count);
		}
		return (count - first[0]) * 1e9 / Math.max(1, System.nanoTime() - first[1]);
	}

}
