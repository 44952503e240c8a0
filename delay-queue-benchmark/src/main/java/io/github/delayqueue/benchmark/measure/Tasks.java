package io.github.delayqueue.benchmark.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;

import io.github.delayqueue.benchmark.BenchTask;
import io.github.delayqueue.benchmark.Payloads;

/**
 * Makes tasks.
 */
final class Tasks {

	/** Due so much later that a run does not see it. */
	static final long FAR_MILLIS = 3_600_000;

	private static final int ID_DIGITS = 11;

	private static int runs;

	private Tasks() {
	}

	static List<BenchTask> due(int count, long dueAtMillis) {
		return due(0, count, (number) -> dueAtMillis);
	}

	/**
	 * Make tasks whose ids no other task has had.
	 * @param from number of the first
	 * @param count how many
	 * @param dueAtMillis when each is due, by its number
	 * @return the tasks
	 */
	static List<BenchTask> due(int from, int count, IntToLongFunction dueAtMillis) {
		String run = newRun();
		List<BenchTask> tasks = new ArrayList<>(count);
		for (int number = from; number < from + count; number++) {
			tasks.add(one(run, number, dueAtMillis.applyAsLong(number)));
		}
		return tasks;
	}

	/**
	 * What the ids of a run begin with.
	 * @return digits that no other run has had
	 */
	static synchronized String newRun() {
		return pad(String.valueOf(++runs), 7);
	}

	static BenchTask one(String run, int number, long dueAtMillis) {
		return new BenchTask(run + pad(String.valueOf(number), ID_DIGITS), Payloads.of(number, dueAtMillis));
	}

	private static String pad(String digits, int length) {
		return "0".repeat(length - digits.length()) + digits;
	}

}
