package io.github.delayqueue.benchmark.measure;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.delayqueue.benchmark.QueueSystem;

/**
 * One run with a consumer: enqueue tasks, wait until they are due and handled, and the
 * store has none of them any more.
 */
final class Drain {

	private static final int LIMIT_SECONDS = 30;

	private static final long MARGIN_MILLIS = 50;

	private static final long SETTLE_MILLIS = 5000;

	private static final int ATTEMPTS = 4;

	private final Subject subject;

	private final int count;

	Drain(Subject subject, int count) {
		this.subject = subject;
		this.count = count;
	}

	/**
	 * Run, in more than one attempt if the tasks are not there in time.
	 * @return the rate, and what went wrong
	 * @throws IllegalStateException if they never were
	 */
	Sample run() {
		return IntStream.rangeClosed(1, ATTEMPTS)
			.mapToObj(this::attempt)
			.flatMap(Optional::stream)
			.findFirst()
			.orElseThrow(() -> new IllegalStateException(this.subject.key() + " cannot be filled in time"));
	}

	/**
	 * Run.
	 * @param number of the attempt, from one: later ones begin longer before the tasks
	 * are due
	 * @return the rate, and what went wrong, empty if the tasks were not there in time
	 */
	@SuppressWarnings("try") // consumes while it is open
	Optional<Sample> attempt(int number) {
		this.subject.reset();
		long due = System.currentTimeMillis() + number * this.subject.fillMillis(this.count);
		Ledger ledger = new Ledger(this.count);
		try (QueueSystem.Consumption consumption = this.subject.system().consume(ledger)) {
			this.subject.fill(0, this.count, due);
			boolean inTime = System.currentTimeMillis() < due - MARGIN_MILLIS;
			return inTime ? Optional.of(finish(due, ledger)) : Optional.empty();
		}
	}

	/** Tasks a second until the store had none of them, or a bound if that took long. */
	private Sample finish(long due, Ledger ledger) {
		boolean complete = Waits.until(due + TimeUnit.SECONDS.toMillis(LIMIT_SECONDS), 1, ledger::isComplete);
		long settled = complete ? this.subject.settledMicros(SETTLE_MILLIS) : 0;
		double seconds = (settled > 0) ? (Math.max(settled, ledger.lastMicros()) - due * 1000) / 1e6 : LIMIT_SECONDS;
		Sample sample = Sample.of("rate", this.count / seconds)
			.with(ledger.counts().plus(new Counts(0, 0, 0, (complete && settled == 0) ? 1 : 0)));
		return complete ? sample : sample.asStopped();
	}

}
