package io.github.delayqueue.benchmark.measure;

import java.util.List;
import java.util.function.Supplier;

/**
 * A single run of a measure of the delay queue itself, whose failure must not end all
 * measuring.
 */
final class Attempt {

	private Attempt() {
	}

	/**
	 * Measure, and record what comes out.
	 * @param session the run
	 * @param key under what name
	 * @param measurement the measurement
	 */
	static void record(Session session, String key, Supplier<Result> measurement) {
		Result result;
		try {
			result = measurement.get();
			result.samples()
				.forEach((sample) -> session.say("  %-14s %s %s", key, Repetitions.text(sample), sample.counts()));
		}
		catch (RuntimeException ex) {
			session.say("  %-14s FAILED %s", key, ex);
			ex.printStackTrace();
			result = new Result(key, "ours", List.of(), "failed: " + ex);
		}
		session.record(result);
	}

}
