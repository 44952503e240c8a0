package io.github.delayqueue.benchmark.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToLongFunction;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.server.ClaimCount;
import io.github.delayqueue.testsupport.RedisMonitor;

/**
 * Processes that are measured together, and pause while it is not their turn.
 */
final class Team implements AutoCloseable {

	private static final int DRAIN = 50_000;

	private static final int WARM_UPS = 2;

	private static final int FLOW = 5000;

	private static final double PER_SECOND = 1000;

	/** Of so many drains tasks may come too late. */
	private static final int LATE = 2;

	private static final long LEAD_MILLIS = 2000;

	private static final long LIMIT_MILLIS = TimeUnit.SECONDS.toMillis(Drain.LIMIT_SECONDS);

	private final Session session;

	private final Subject subject;

	private final int processes;

	private final int drain;

	private final int flow;

	private final List<Double> rates = new ArrayList<>();

	private double seconds;

	private @Nullable Fleet fleet;

	private @Nullable RuntimeException failure;

	/** Number of the next task. */
	private int next;

	Team(Session session, Subject subject, int processes) {
		this.session = session;
		this.subject = subject;
		this.processes = processes;
		this.drain = session.size(DRAIN);
		this.flow = session.size(FLOW);
	}

	/**
	 * Name of its result.
	 * @return the key
	 */
	String key() {
		return ProcessesMeasure.KEY + "-" + this.processes;
	}

	/**
	 * Do something, unless something has failed already.
	 * @param action what to do
	 */
	void attempt(Runnable action) {
		if (this.failure != null) {
			return;
		}
		long start = System.nanoTime();
		try {
			action.run();
		}
		catch (RuntimeException ex) {
			this.failure = ex;
			close();
			// what is left is none of the next team's
			this.subject.reset();
		}
		this.seconds += (System.nanoTime() - start) / 1e9;
	}

	/** Start the processes, let them warm up, and pause. */
	void start() {
		// each process warms up with as many tasks, however many processes there are
		int rounds = this.session.quick() ? 0 : this.processes;
		int tasks = rounds * WARM_UPS * this.drain + ProcessesMeasure.drains(this.session) * this.drain + this.flow;
		this.fleet = Fleet.start(this.subject.type(),
				new Servers(this.session.redis().host(), this.session.redis().port(), this.session.postgresUrl()),
				this.processes, tasks, 0);
		for (int round = 0; round < rounds; round++) {
			this.session.say("  %s warm-up %.0f/s", key(), drain(WARM_UPS * this.drain));
		}
		fleet().pause();
	}

	/** Drain once more, and pause. */
	void drainOnce() {
		fleet().resume();
		this.rates.add(drain(this.drain));
		fleet().pause();
	}

	/**
	 * What has come out, after a steady flow of tasks at last.
	 * @return the result
	 */
	Result result() {
		if (this.failure != null) {
			throw this.failure;
		}
		long start = System.nanoTime();
		this.session.say("  %s drains %s", key(), this.rates);
		double[] rates = inTime(this.rates.stream().mapToDouble(Double::doubleValue).toArray());
		fleet().resume();
		ClaimCount claims = flow();
		Sample sample = Sample.of("rate", rates[rates.length / 2])
			.with("claims", claims.claims() / (double) this.flow)
			.with("empty", claims.empty() / (double) this.flow)
			.with(fleet().counts())
			.took(this.seconds + (System.nanoTime() - start) / 1e9);
		close();
		return new Result(key(), this.subject.key(), List.of(sample), null);
	}

	/**
	 * Drain once.
	 * @return tasks a second, not a number if they were due before all of them were there
	 */
	private double drain(int count) {
		int from = this.next;
		long due = System.currentTimeMillis() + this.subject.fillMillis(count);
		fill(count, (number) -> due);
		boolean late = System.currentTimeMillis() > due;
		await(Math.max(due, System.currentTimeMillis()));
		return late ? Double.NaN : count * 1e6 / (fleet().lastMicros(from, this.next) - due * 1000);
	}

	private ClaimCount flow() {
		int from = this.next;
		long due = System.currentTimeMillis() + LEAD_MILLIS;
		fill(this.flow, (number) -> due + (long) ((number - from) * 1000 / PER_SECOND));
		ClaimCount claims = new ClaimCount();
		Waits.pause(Math.max(0, due - 5 - System.currentTimeMillis()));
		RedisMonitor monitor = RedisMonitor.start(this.session.redis().host(), this.session.redis().port(),
				claims::line);
		await(due + (long) (this.flow * 1000 / PER_SECOND));
		monitor.stop();
		return claims;
	}

	private void fill(int count, IntToLongFunction dueAtMillis) {
		this.subject.fill(this.next, count, dueAtMillis);
		this.next += count;
	}

	private void await(long due) {
		if (!Waits.until(due + LIMIT_MILLIS, 5, () -> fleet().isComplete(this.next))) {
			throw new IllegalStateException("Tasks are not handled in time: " + fleet().counts());
		}
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

	private Fleet fleet() {
		return Objects.requireNonNull(this.fleet, "Not started");
	}

	@Override
	public void close() {
		Fleet fleet = this.fleet;
		this.fleet = null;
		if (fleet != null) {
			fleet.close();
		}
	}

}
