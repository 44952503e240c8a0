package io.github.delayqueue.benchmark.measure;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

import io.github.delayqueue.benchmark.QueueSystem;

/**
 * One run with a consumer: enqueue tasks, wait until they are due and handled, and the
 * store has none of them any more.
 */
final class Drain {

	static final int LIMIT_SECONDS = 30;

	/** Between the last call that enqueues and the first task that is due, at least. */
	static final long LEAD_MILLIS = 700;

	private static final long MARGIN_MILLIS = 50;

	private static final long SETTLE_MILLIS = 5000;

	private static final int ATTEMPTS = 4;

	private final Subject subject;

	private final int count;

	private final double perSecond;

	private final int others;

	/**
	 * Plan.
	 * @param subject the system
	 * @param count number of tasks
	 * @param perSecond how many become due in a second; infinity for all at once
	 * @param others how many wait besides, due an hour later
	 */
	Drain(Subject subject, int count, double perSecond, int others) {
		this.subject = subject;
		this.count = count;
		this.perSecond = perSecond;
		this.others = others;
	}

	private long offset(int number) {
		return (long) (number * 1000 / this.perSecond);
	}

	/**
	 * Run, in more than one attempt if the tasks are not there in time.
	 * @return when what was handled
	 * @throws IllegalStateException if they never were
	 */
	Outcome run() {
		return IntStream.rangeClosed(1, ATTEMPTS)
			.mapToObj(this::attempt)
			.flatMap(Optional::stream)
			.findFirst()
			.orElseThrow(() -> new IllegalStateException(this.subject.type().title() + " cannot be filled in time"));
	}

	/**
	 * Run.
	 * @param number of the attempt, from one: later ones begin longer before the first
	 * task is due
	 * @return when what was handled, empty if the tasks were not there in time
	 */
	@SuppressWarnings("try") // consumes while it is open
	Optional<Outcome> attempt(int number) {
		this.subject.reset();
		if (this.others > 0) {
			long far = System.currentTimeMillis() + Tasks.FAR_MILLIS;
			this.subject.fill(this.count, this.others, (other) -> far);
		}
		long due = System.currentTimeMillis() + number * this.subject.fillMillis(this.count);
		try (Ledger ledger = Ledger.create(this.count);
				QueueSystem.Consumption consumption = this.subject.system().consume(ledger.sink(0))) {
			this.subject.fill(0, this.count, (task) -> due + offset(task));
			boolean inTime = System.currentTimeMillis() < due - MARGIN_MILLIS;
			return inTime ? Optional.of(finish(due, ledger)) : Optional.empty();
		}
	}

	private Outcome finish(long due, Ledger ledger) {
		long last = due + offset(this.count - 1);
		boolean complete = Waits.until(last + TimeUnit.SECONDS.toMillis(LIMIT_SECONDS), 1, ledger::isComplete);
		long settled = complete ? this.subject.settledMicros(this.others, SETTLE_MILLIS) : 0;
		return new Outcome(due, ledger, complete, Math.max(settled, (settled > 0) ? ledger.lastMicros() : 0),
				this::offset);
	}

	/**
	 * What has come out. The consumer has been stopped.
	 *
	 * @param dueMillis when the first task was due
	 * @param ledger when what was handled
	 * @param complete whether all were handled in time
	 * @param settledMicros when nothing was left in the store, zero if something was
	 * @param offset how much later than the first each was due, in milliseconds
	 */
	record Outcome(long dueMillis, Ledger ledger, boolean complete, long settledMicros, IntToLongFunction offset) {

		/**
		 * Tasks a second until the store had none of them, or a bound if it took too
		 * long.
		 * @return the rate
		 */
		double rate() {
			boolean over = this.settledMicros > 0;
			return this.ledger.size() / (over ? (this.settledMicros - this.dueMillis * 1000) / 1e6 : LIMIT_SECONDS);
		}

		/**
		 * What went wrong.
		 * @return the counts, with what was left in the store
		 */
		Counts counts() {
			return this.ledger.counts().plus(new Counts(0, 0, 0, (this.complete && this.settledMicros == 0) ? 1 : 0));
		}

		/**
		 * How late some of the handlers were started.
		 * @param from number of the first task
		 * @param to number after the last task
		 * @return milliseconds for each task that was handled, in ascending order
		 */
		double[] lateness(int from, int to) {
			return IntStream.range(from, to)
				.filter((number) -> this.ledger.startedMicros(number) > 0)
				.mapToDouble((number) -> this.ledger.startedMicros(number) / 1000.0 - this.dueMillis
						- this.offset.applyAsLong(number))
				.sorted()
				.toArray();
		}

	}

}
