package io.github.delayqueue.benchmark.measure;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

import io.github.delayqueue.benchmark.Payload;
import io.github.delayqueue.benchmark.TaskSink;

/**
 * A handler that does nothing but write down, for each task of a run, how often it was
 * started and when first. Written without locks.
 */
final class Ledger implements TaskSink {

	/**
	 * How often, when, how often early; as long as a line of a processor's cache, so that
	 * threads which handle one task each do not wait for each other here.
	 */
	private static final int ENTRY = 8;

	private static final int FIRST = 1;

	private static final int EARLY = 2;

	private final AtomicLongArray entries;

	private final int size;

	private int unfinished;

	/**
	 * Make an empty one.
	 * @param size number of tasks; those with higher numbers must not be handled at all
	 */
	Ledger(int size) {
		this.size = size;
		// one more, for those that are none of ours
		this.entries = new AtomicLongArray((size + 1) * ENTRY);
	}

	int size() {
		return this.size;
	}

	@Override
	public void handle(Payload payload) {
		long micros = nowMicros();
		int number = payload.number();
		int entry = ((number >= 0 && number < this.size) ? number : this.size) * ENTRY;
		this.entries.compareAndSet(entry + FIRST, 0, micros);
		if (micros < payload.dueAt() * 1000) {
			this.entries.getAndIncrement(entry + EARLY);
		}
		this.entries.getAndIncrement(entry);
	}

	/**
	 * Whether all tasks have been handled. Cheap to ask again and again; by one thread.
	 * @return whether none is left
	 */
	boolean isComplete() {
		while (this.unfinished < this.size && this.entries.get(this.unfinished * ENTRY) > 0) {
			this.unfinished++;
		}
		return this.unfinished == this.size;
	}

	/**
	 * How many tasks have been handled.
	 * @return the number of different tasks
	 */
	int handled() {
		return (int) IntStream.range(0, this.size).filter((number) -> this.entries.get(number * ENTRY) > 0).count();
	}

	/**
	 * What went wrong. What is none of ours counts as early.
	 * @return the counts
	 */
	Counts counts() {
		long doubled = 0;
		long early = this.entries.get(this.size * ENTRY);
		for (int number = 0; number < this.size; number++) {
			doubled += Math.max(0, this.entries.get(number * ENTRY) - 1);
			early += this.entries.get(number * ENTRY + EARLY);
		}
		return new Counts(this.size - handled(), doubled, early);
	}

	/**
	 * When the handler of a task was started for the first time.
	 * @param number of the task
	 * @return microseconds since the epoch, zero if it was not
	 */
	long startedMicros(int number) {
		return this.entries.get(number * ENTRY + FIRST);
	}

	/**
	 * When the last of the handlers was started for the first time.
	 * @return microseconds since the epoch
	 */
	long lastMicros() {
		return IntStream.range(0, this.size).mapToLong(this::startedMicros).max().orElse(0);
	}

	/**
	 * The clock of all entries.
	 * @return microseconds since the epoch
	 */
	static long nowMicros() {
		Instant now = Instant.now();
		return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
	}

}
