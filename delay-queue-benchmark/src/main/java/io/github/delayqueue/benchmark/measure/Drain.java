package io.github.delayqueue.benchmark.measure;

import java.util.concurrent.TimeUnit;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

import io.github.delayqueue.benchmark.QueueSystem;

/**
 * One run with a consumer: enqueue tasks, wait until they are due and handled.
 */
final class Drain {

	static final int LIMIT_SECONDS = 60;

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
	 * Run.
	 * @return when what was handled
	 */
	Outcome run() {
		for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
			this.subject.reset();
			if (this.others > 0) {
				long far = System.currentTimeMillis() + Tasks.FAR_MILLIS;
				this.subject.fill(this.count, this.others, (number) -> far);
			}
			long due = System.currentTimeMillis() + this.subject.fillMillis(this.count);
			Ledger ledger = Ledger.create(this.count);
			QueueSystem.Consumption consumption = this.subject.system().consume(ledger.sink(0));
			try {
				this.subject.fill(0, this.count, (number) -> due + offset(number));
				if (System.currentTimeMillis() < due - 200) {
					return finish(due, ledger);
				}
			}
			finally {
				consumption.close();
				ledger.close();
			}
		}
		throw new IllegalStateException(this.subject.type().title() + " cannot be filled in time");
	}

	private Outcome finish(long due, Ledger ledger) {
		long last = due + offset(this.count - 1);
		boolean complete = Waits.until(last + TimeUnit.SECONDS.toMillis(LIMIT_SECONDS), 5, ledger::isComplete);
		if (complete) {
			// what is acknowledged behind the handlers' backs, and what comes twice
			Waits.until(System.currentTimeMillis() + 1000, 20, this::isSettled);
		}
		return new Outcome(due, ledger, complete, this::offset);
	}

	private boolean isSettled() {
		return this.subject.system().pending().orElse(Long.MAX_VALUE) <= this.others;
	}

	/**
	 * What has come out. The consumer has been stopped.
	 *
	 * @param dueMillis when the first task was due
	 * @param ledger when what was handled
	 * @param complete whether all were handled in time
	 * @param offset how much later than the first each was due, in milliseconds
	 */
	record Outcome(long dueMillis, Ledger ledger, boolean complete, IntToLongFunction offset) {

		/**
		 * Tasks a second until the last was handled, or a bound if it took too long.
		 * @return the rate
		 */
		double rate() {
			double seconds = this.complete ? (this.ledger.lastMicros() - this.dueMillis * 1000) / 1e6 : LIMIT_SECONDS;
			return this.ledger.size() / seconds;
		}

		/**
		 * How late the handlers were started.
		 * @return milliseconds for each task that was handled, in ascending order
		 */
		double[] lateness() {
			return lateness(0, this.ledger.size());
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
