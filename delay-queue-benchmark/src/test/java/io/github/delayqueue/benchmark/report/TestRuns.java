package io.github.delayqueue.benchmark.report;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.delayqueue.benchmark.measure.Counts;
import io.github.delayqueue.benchmark.measure.Result;
import io.github.delayqueue.benchmark.measure.Sample;

/**
 * Runs that never were.
 */
final class TestRuns {

	private TestRuns() {
	}

	static Run of(Result... results) {
		List<Run.MeasuredSystem> systems = Stream.of("ours", "loop", "loop-500", "redisson")
			.map((key) -> new Run.MeasuredSystem(key, "Title of " + key, "A <system>.", Map.of("threads", "1")))
			.toList();
		return new Run(Instant.parse("2026-11-21T12:00:00Z"), 2400, Map.of("processor", "2 cores"), systems,
				List.of(results));
	}

	static Result result(String measure, String system, String figure, double... values) {
		return new Result(measure, system, Arrays.stream(values).mapToObj((value) -> Sample.of(figure, value)).toList(),
				null);
	}

	static Result stopped(String measure, String system, double rate) {
		return new Result(measure, system, List.of(Sample.of("rate", rate).with(new Counts(17, 0, 0)).asStopped()),
				null);
	}

	static Result wrong(String measure, String system, Counts counts) {
		return new Result(measure, system, List.of(Sample.of("rate", 1).with(counts)), null);
	}

}
