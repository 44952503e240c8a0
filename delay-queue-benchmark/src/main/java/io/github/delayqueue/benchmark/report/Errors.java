package io.github.delayqueue.benchmark.report;

import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.github.delayqueue.benchmark.measure.Counts;
import io.github.delayqueue.benchmark.measure.Result;

/**
 * What went wrong with some systems in all measures together.
 *
 * @param counts tasks missing, doubled, early, unsettled, where nothing was killed
 * @param killed what was missing or early where consumers were killed
 * @param failures why measures failed
 */
record Errors(Counts counts, Counts killed, List<String> failures) {

	static Errors of(Run run, Set<String> systems) {
		List<Result> results = run.results().stream().filter((result) -> systems.contains(result.system())).toList();
		return new Errors(sum(results.stream().filter((result) -> !isKill(result)).toList()),
				sum(results.stream().filter(Errors::isKill).toList()),
				results.stream()
					.filter((result) -> Objects.requireNonNullElse(result.note(), "").startsWith("failed"))
					.map((result) -> result.measure() + " " + result.note())
					.toList());
	}

	private static boolean isKill(Result result) {
		return result.measure().startsWith("kill");
	}

	private static Counts sum(List<Result> results) {
		return results.stream().map(Result::counts).reduce(Counts.NONE, Counts::plus);
	}

}
