package io.github.delayqueue.benchmark.measure;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.github.delayqueue.benchmark.Producer;
import io.github.delayqueue.benchmark.QueueSystem;

/**
 * Producers that keep to a timetable, whatever the queue does, while its consumers run.
 * Each task has an intended time to be scheduled and one to be due, both fixed before the
 * first call. All latencies count from these: a call that had to wait for the calls
 * before it is late by that, and so is its task.
 */
final class OpenLoop {

	/** Tasks are due so much later than they are to be scheduled. */
	private static final long DELAY_MILLIS = 1000;

	private static final long LEAD_MILLIS = 200;

	/** So much later than the timetable producers give up, and what is left counts. */
	private static final long LIMIT_MILLIS = 5000;

	/** What is not handled after that is lost. */
	private static final long HANDLED_MILLIS = 60_000;

	private final Fork fork;

	private final int count;

	private final double perSecond;

	private final String run = Tasks.newRun();

	/** How late each call returned, in microseconds; negative while it has not. */
	private final int[] calls;

	private long startMicros;

	private long startNanos;

	/**
	 * Plan.
	 * @param fork the process
	 * @param perSecond how many tasks are to be scheduled in a second
	 * @param seconds for how long
	 */
	OpenLoop(Fork fork, double perSecond, double seconds) {
		this.fork = fork;
		this.perSecond = perSecond;
		this.count = (int) (perSecond * seconds);
		this.calls = new int[this.count];
		Arrays.fill(this.calls, -1);
	}

	/** When a task is due: in whole milliseconds, as all systems take it. */
	private long dueMillis(int number) {
		return (this.startMicros + (long) (number * 1e6 / this.perSecond) + 999) / 1000 + DELAY_MILLIS;
	}

	/**
	 * Run.
	 * @return rate, latencies and what was used
	 */
	@SuppressWarnings("try") // consumes while it is open
	Sample run() {
		Subject subject = this.fork.subject();
		Ledger ledger = new Ledger(this.count);
		try (QueueSystem.Consumption consumption = subject.system().consume(ledger)) {
			Usage before = Usage.now(subject.type(), this.fork.servers());
			this.startMicros = Ledger.nowMicros() + LEAD_MILLIS * 1000;
			this.startNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LEAD_MILLIS);
			int accepted = Enqueue.byThreads((thread) -> produce(subject.system().producer(), thread));
			double seconds = Math.max((System.nanoTime() - this.startNanos) / 1e9, this.count / this.perSecond);
			// to look for the rest of so many is work
			Waits.pause(Math.max(0, dueMillis(this.count - 1) - System.currentTimeMillis()));
			long until = System.currentTimeMillis() + HANDLED_MILLIS;
			boolean complete = Waits.until(until, 20, () -> ledger.handled() >= accepted);
			boolean settled = !complete || subject.settledMicros(LIMIT_MILLIS) > 0;
			Sample used = Usage.now(subject.type(), this.fork.servers())
				.addTo(Sample.of("rate", accepted / seconds), before, ledger.handled());
			return sample(used, ledger, accepted, settled);
		}
	}

	private int produce(Producer producer, int first) {
		long end = this.startNanos + (long) (this.count * 1e9 / this.perSecond)
				+ TimeUnit.MILLISECONDS.toNanos(LIMIT_MILLIS);
		int accepted = 0;
		for (int number = first; number < this.count && System.nanoTime() < end; number += Enqueue.THREAD_COUNT) {
			long intended = this.startNanos + (long) (number * 1e9 / this.perSecond);
			for (long rest = intended - System.nanoTime(); rest > 0; rest = intended - System.nanoTime()) {
				LockSupport.parkNanos(rest);
			}
			producer.schedule(Tasks.one(this.run, number, dueMillis(number)));
			this.calls[number] = (int) ((System.nanoTime() - intended) / 1000);
			accepted++;
		}
		return accepted;
	}

	/** What was not handled, or not even accepted, is at least as late as it is now. */
	private Sample sample(Sample used, Ledger ledger, int accepted, boolean settled) {
		long now = Ledger.nowMicros();
		double[] lateness = IntStream.range(0, this.count).mapToDouble((number) -> {
			long started = ledger.startedMicros(number);
			return ((started > 0) ? started : now) / 1000.0 - dueMillis(number);
		}).sorted().toArray();
		double nowNanos = System.nanoTime();
		double[] calls = IntStream.range(0, this.count)
			.mapToDouble((number) -> (this.calls[number] >= 0) ? this.calls[number] / 1000.0
					: (nowNanos - this.startNanos) / 1e6 - number * 1000 / this.perSecond)
			.sorted()
			.toArray();
		Counts counts = ledger.counts();
		long missing = Math.max(0, counts.missing() - (this.count - accepted));
		return used.withPercentiles("p", lateness)
			.withPercentiles("call", calls)
			.with("offered", this.perSecond)
			.with(new Counts(missing, counts.doubled(), counts.early(), settled ? 0 : 1));
	}

}
