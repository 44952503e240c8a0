package io.github.delayqueue.benchmark.measure;

import java.util.List;
import java.util.stream.IntStream;

import io.github.delayqueue.benchmark.BenchTask;
import io.github.delayqueue.benchmark.QueueSystem;
import io.github.delayqueue.benchmark.SystemType.Trait;
import io.github.delayqueue.benchmark.systems.GroupedDelayQueue;

/**
 * How late tasks of quiet tenants are, by themselves and while a million tasks of another
 * tenant are due.
 */
final class QuietMeasure extends Measure {

	private static final int NOISY_TASKS = 1_000_000;

	private static final int QUIET_TASKS = GroupedDelayQueue.QUIET_TASKS;

	/** From one task of a quiet tenant to the next: all are due while there is noise. */
	private static final int EVERY_MILLIS = 3;

	private static final int ATTEMPTS = 4;

	private static final long LIMIT_MILLIS = 120_000;

	QuietMeasure() {
		super("quiet");
		when((type, round) -> type.key().equals("ours") || type.has(Trait.TENANTS));
	}

	@Override
	Sample measure(Fork fork) {
		fork.warmUp();
		Sample alone = attempts(fork.subject(), 0, "alone", Sample.of("noisy", fork.size(NOISY_TASKS)));
		return attempts(fork.subject(), fork.size(NOISY_TASKS), "p", alone);
	}

	/** In more than one attempt if the tasks are not there in time. */
	private static Sample attempts(Subject subject, int noisy, String figure, Sample sample) {
		for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
			Ledger ledger = new Ledger(QUIET_TASKS + noisy);
			subject.reset();
			long due = System.currentTimeMillis() + attempt * subject.fillMillis(QUIET_TASKS + noisy);
			if (run(subject, noisy, due, ledger)) {
				double[] late = IntStream.range(0, QUIET_TASKS)
					.mapToDouble((number) -> ledger.startedMicros(number) / 1000.0 - dueMillis(due, number))
					.sorted()
					.toArray();
				subject.reset();
				return sample.withPercentiles(figure, late).with(sample.counts().plus(ledger.counts()));
			}
		}
		throw new IllegalStateException(subject.key() + " cannot be filled in time");
	}

	@SuppressWarnings("try") // consumes while it is open
	private static boolean run(Subject subject, int noisy, long due, Ledger ledger) {
		try (QueueSystem.Consumption consumption = subject.system().consume(ledger)) {
			String run = Tasks.newRun();
			List<BenchTask> quiet = IntStream.range(0, QUIET_TASKS)
				.mapToObj((number) -> Tasks.one(run, number, dueMillis(due, number)))
				.toList();
			subject.system().producer().scheduleAll(quiet);
			subject.fill(QUIET_TASKS, noisy, due);
			boolean inTime = System.currentTimeMillis() < due;
			Waits.until(due + LIMIT_MILLIS, 20, ledger::isComplete);
			return inTime;
		}
	}

	private static long dueMillis(long due, int number) {
		return due + (long) number * EVERY_MILLIS;
	}

}
