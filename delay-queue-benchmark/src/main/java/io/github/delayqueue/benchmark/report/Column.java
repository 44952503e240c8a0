package io.github.delayqueue.benchmark.report;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

import io.github.delayqueue.benchmark.measure.Counts;
import io.github.delayqueue.benchmark.measure.Result;

/**
 * Figures of all systems: a column of a table.
 *
 * @param label what they are
 * @param measure key of the measure
 * @param figures names of the figures in its results, one, or three of which the middle
 * one has its spread beside it
 * @param unit of the figures
 */
record Column(String label, String measure, List<String> figures, Unit unit) {

	/** So many are a median; of fewer it is said how many. */
	private static final int ENOUGH = 3;

	/** Who accepts less of what it is offered has not kept up. */
	private static final double KEPT_UP = 0.99;

	Column(String label, String measure, String figure, Unit unit) {
		this(label, measure, List.of(figure), unit);
	}

	String head() {
		return this.label + ", " + this.unit.text();
	}

	/**
	 * The figures of a system.
	 * @param run where they were measured
	 * @param system key of the system
	 * @return the medians, with the least and the most of one; a dash if there are none,
	 * and a word if there are some that prove nothing
	 */
	String text(Run run, String system) {
		return run.result(this.measure, system).map(this::text).orElse("–");
	}

	private String text(Result result) {
		if (Objects.requireNonNullElse(result.note(), "").startsWith("failed")) {
			return "failed";
		}
		String main = this.figures.get(this.figures.size() / 2);
		double[] sorted = result.sorted(main);
		if (sorted.length == 0) {
			return "–";
		}
		Counts counts = result.counts();
		if (!counts.clean() && !result.stopped() && !this.measure.equals("kill")) {
			return "not quoted: " + counts;
		}
		String text = this.figures.stream()
			.map((figure) -> this.unit.format(result.median(figure).orElse(Double.NaN))
					+ (figure.equals(main) ? spread(sorted) : ""))
			.collect(Collectors.joining(" / "));
		boolean more = this.unit == Unit.RATE && result.median("more").orElse(0) > 0;
		boolean less = this.unit == Unit.RATE && result.stopped();
		return (more ? "≥ " : less ? "< " : "") + text + offered(result);
	}

	/** Of three processes, from the least to the most. */
	private String spread(double[] ascending) {
		if (ascending.length < ENOUGH) {
			return " " + ascending.length + "×";
		}
		String least = this.unit.format(ascending[0]);
		String most = this.unit.format(ascending[ascending.length - 1]);
		return least.equals(most) ? "" : " (" + least + "–" + most + ")";
	}

	private String offered(Result result) {
		double offered = result.median("offered").orElse(Double.NaN);
		double rate = result.median("rate").orElse(Double.NaN);
		return (this.unit == Unit.MILLIS && rate < KEPT_UP * offered) ? " at " + Unit.RATE.format(rate) + "/s" : "";
	}

	/**
	 * Whether it says anything of any system.
	 * @param run where it was measured
	 * @return whether to show it
	 */
	boolean isMeasured(Run run) {
		return run.systems().stream().anyMatch((system) -> !text(run, system.key()).equals("–"));
	}

}
