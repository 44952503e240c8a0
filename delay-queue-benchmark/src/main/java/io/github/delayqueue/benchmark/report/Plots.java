package io.github.delayqueue.benchmark.report;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.delayqueue.benchmark.measure.Result;
import io.github.delayqueue.benchmark.report.BarChart.Bar;
import io.github.delayqueue.benchmark.report.BarChart.Kind;
import io.github.delayqueue.benchmark.report.BarChart.Panel;
import io.github.delayqueue.benchmark.report.Row.Unit;

/**
 * The figures as pictures.
 */
final class Plots {

	private static final Map<String, Kind> KINDS = Map.of("ours", Kind.OURS, "journal", Kind.OURS, "loop", Kind.BOUND,
			"bare", Kind.BOUND, "evalsha", Kind.BOUND, "jvm-timer", Kind.BOUND);

	private Plots() {
	}

	/**
	 * Draw what a section says should be drawn.
	 * @param run what was measured
	 * @param section what to draw
	 * @return an SVG document
	 */
	static String draw(Run run, Section section) {
		List<Panel> panels = section.plotted().stream().map(section.rows()::get).map((row) -> {
			List<Bar> bars = run.systems().stream().flatMap((system) -> bar(run, row, system)).toList();
			return new Panel(
					Character.toUpperCase(row.label().charAt(0)) + row.label().substring(1) + ", " + row.unit().text()
							+ " (" + better(row) + (section.logarithmic() ? ", logarithmic" : "") + ")",
					section.logarithmic(), bars);
		}).toList();
		return BarChart.svg(section.title(), panels);
	}

	private static String better(Row row) {
		return (row.unit() == Unit.RATE) ? "more is better" : "less is better";
	}

	private static Stream<Bar> bar(Run run, Row row, Run.MeasuredSystem system) {
		return run.result(row.measure(), system.key())
			.stream()
			.filter((result) -> result.median(row.figure()).isPresent())
			.map((result) -> bar(row, system, result));
	}

	private static Bar bar(Row row, Run.MeasuredSystem system, Result result) {
		double value = result.median(row.figure()).orElseThrow();
		boolean bound = result.stopped() && row.unit() == Unit.RATE;
		return new Bar(system.title(), value, (bound ? "< " : "") + row.unit().format(value),
				Objects.requireNonNullElse(KINDS.get(system.key()), Kind.PEER), bound);
	}

}
