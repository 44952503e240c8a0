package io.github.delayqueue.benchmark.measure;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.server.ClaimCount;
import io.github.delayqueue.benchmark.server.RedisMonitor;

/**
 * How fast several processes together drain one queue, and how many of their claims come
 * back empty while there is a steady flow of tasks. Of the delay queue only.
 */
final class ProcessesMeasure extends OwnMeasure {

	/** Key of the measure. */
	static final String KEY = "processes";

	private static final List<Integer> PROCESSES = List.of(1, 2, 4, 8);

	private static final int DRAIN = 50_000;

	private static final int WARM_UPS = 2;

	private static final int REPETITIONS = 5;

	private static final int FLOW = 5000;

	private static final double PER_SECOND = 1000;

	/**
	 * Drains whose tasks were not there in time do not count; of so many that is all
	 * right.
	 */
	private static final int LATE = 2;

	private static final long LEAD_MILLIS = 2000;

	private static final long LIMIT_MILLIS = TimeUnit.SECONDS.toMillis(Drain.LIMIT_SECONDS);

	ProcessesMeasure() {
		super(KEY, "Several processes on one queue");
	}

	@Override
	void run(Session session, Subject subject) {
		PROCESSES
			.forEach((processes) -> record(session, KEY + "-" + processes, () -> measure(session, subject, processes)));
	}

	private static Result measure(Session session, Subject subject, int processes) {
		int drain = session.size(DRAIN);
		int flow = session.size(FLOW);
		// each process warms up with as many tasks, however many processes there are
		int warmUp = session.quick() ? 0 : WARM_UPS * drain * processes;
		int drains = session.quick() ? 1 : REPETITIONS;
		Servers servers = new Servers(session.redis().host(), session.redis().port(), session.postgresUrl());
		long start = System.nanoTime();
		subject.reset();
		try (Fleet fleet = Fleet.start(subject.type(), servers, processes, warmUp + drains * drain + flow, 0)) {
			for (int from = 0; from < warmUp; from += WARM_UPS * drain) {
				session.say("  %s-%d warm-up %.0f/s", KEY, processes,
						drain(subject, fleet, from, from + WARM_UPS * drain));
			}
			double[] rates = IntStream.range(0, drains)
				.map((round) -> warmUp + round * drain)
				.mapToDouble((from) -> drain(subject, fleet, from, from + drain))
				.toArray();
			session.say("  %s-%d drains %s", KEY, processes, Arrays.toString(rates));
			rates = inTime(rates);
			EmptyClaims claims = flow(session, subject, fleet, warmUp + drains * drain, flow);
			Sample sample = Sample.of("rate", rates[rates.length / 2])
				.with("claims", claims.claims())
				.with("empty", claims.empty())
				.with(fleet.counts())
				.took((System.nanoTime() - start) / 1e9);
			return new Result(KEY + "-" + processes, subject.key(), List.of(sample), null);
		}
		finally {
			subject.reset();
		}
	}

	/**
	 * Drain once.
	 * @return tasks a second, not a number if they were due before all of them were there
	 */
	private static double drain(Subject subject, Fleet fleet, int from, int to) {
		long due = System.currentTimeMillis() + subject.fillMillis(to - from);
		subject.fill(from, to - from, (number) -> due);
		boolean late = System.currentTimeMillis() > due;
		await(fleet, to, Math.max(due, System.currentTimeMillis()));
		return late ? Double.NaN : (to - from) * 1e6 / (fleet.lastMicros(from, to) - due * 1000);
	}

	/**
	 * The drains that count.
	 * @param rates of all drains
	 * @return the rates of those whose tasks were there in time, sorted
	 * @throws IllegalStateException if they are too few
	 */
	static double[] inTime(double... rates) {
		double[] counting = Arrays.stream(rates).filter((rate) -> !Double.isNaN(rate)).sorted().toArray();
		if (counting.length < Math.max(1, rates.length - LATE)) {
			throw new IllegalStateException("In " + (rates.length - counting.length) + " of " + rates.length
					+ " drains tasks were due before all were there");
		}
		return counting;
	}

	private static void await(Fleet fleet, int to, long due) {
		if (!Waits.until(due + LIMIT_MILLIS, 5, () -> fleet.isComplete(to))) {
			throw new IllegalStateException("Tasks are not handled in time: " + fleet.counts());
		}
	}

	private static EmptyClaims flow(Session session, Subject subject, Fleet fleet, int from, int count) {
		long due = System.currentTimeMillis() + LEAD_MILLIS;
		subject.fill(from, count, (number) -> due + (long) ((number - from) * 1000 / PER_SECOND));
		ClaimCount claims = new ClaimCount();
		Waits.pause(Math.max(0, due - 5 - System.currentTimeMillis()));
		RedisMonitor monitor = RedisMonitor.start(session.redis().host(), session.redis().port(), claims::line);
		await(fleet, from + count, due + (long) (count * 1000 / PER_SECOND));
		monitor.stop();
		return new EmptyClaims(claims.claims() / (double) count, claims.empty() / (double) count);
	}

	/**
	 * Claims for each task.
	 *
	 * @param claims all
	 * @param empty those that took nothing
	 */
	private record EmptyClaims(double claims, double empty) {

	}

}
