package io.github.delayqueue.benchmark.measure;

import java.util.List;
import java.util.stream.IntStream;

import io.github.delayqueue.benchmark.BenchTask;
import io.github.delayqueue.benchmark.Payloads;

/**
 * Makes tasks.
 */
final class Tasks {

	/** Due so much later that a run does not see it. */
	static final long FAR_MILLIS = 3_600_000;

	private static int runs;

	private Tasks() {
	}

	/**
	 * Make tasks whose ids no other task has had.
	 * @param from number of the first
	 * @param count how many
	 * @param dueAtMillis when all are due
	 * @return the tasks
	 */
	static List<BenchTask> due(int from, int count, long dueAtMillis) {
		String run = newRun();
		return IntStream.range(from, from + count).mapToObj((number) -> one(run, number, dueAtMillis)).toList();
	}

	/**
	 * What the ids of a run begin with.
	 * @return digits that no other run has had
	 */
	static synchronized String newRun() {
		return pad(String.valueOf(++runs), 7);
	}

	static BenchTask one(String run, int number, long dueAtMillis) {
		return new BenchTask(run + pad(String.valueOf(number), 11), Payloads.of(number, dueAtMillis));
	}

	private static String pad(String digits, int length) {
		return "0".repeat(length - digits.length()) + digits;
	}

}
