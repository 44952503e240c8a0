package io.github.delayqueue.benchmark.report;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Lines over a logarithmic axis as SVG, that can be read on a light and on a dark page.
 */
final class LineChart {

	private static final int WIDTH = 760;

	private static final int HEIGHT = 380;

	private static final int LEFT = 60;

	private static final int RIGHT = 590;

	private static final int TOP = 62;

	private static final int BOTTOM = 330;

	private static final int STEPS = 5;

	private static final int LABEL = 15;

	private static final String STYLE = BarChart.STYLE + """
			.line { fill: none; stroke-width: 2 }
			.line0 { stroke: #0969da } .line1 { stroke: #cf222e } .line2 { stroke: #1a7f37 } .line3 { stroke: #9a6700 }
			""";

	private final List<Line> lines;

	private final double from;

	private final double to;

	private final double step;

	private final StringBuilder svg = new StringBuilder();

	private LineChart(List<Line> lines) {
		this.lines = lines;
		this.from = lines.stream().flatMap((line) -> line.points.stream()).mapToDouble(Point::x).min().orElse(1);
		this.to = lines.stream().flatMap((line) -> line.points.stream()).mapToDouble(Point::x).max().orElse(10);
		double highest = lines.stream().flatMap((line) -> line.points.stream()).mapToDouble(Point::y).max().orElse(1);
		this.step = Scale.step(highest / STEPS);
	}

	/**
	 * Draw.
	 * @param title of the picture
	 * @param unit of the values
	 * @param axis what the horizontal axis shows
	 * @param lines from the first to the last
	 * @return a document
	 */
	static String svg(String title, String unit, String axis, List<Line> lines) {
		return new LineChart(lines).draw(title, unit, axis);
	}

	private String draw(String title, String unit, String axis) {
		this.svg.append(String.format(Locale.ROOT,
				"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">%n",
				WIDTH, HEIGHT, WIDTH, HEIGHT));
		this.svg.append("<title>").append(title).append("</title>\n<style>\n").append(STYLE).append("</style>\n");
		text(0, 18, "title", "start", title);
		text(0, 44, "panel", "start", unit);
		text((LEFT + RIGHT) / 2.0, BOTTOM + 38, "tick", "middle", axis);
		for (int i = 0; i <= STEPS; i++) {
			double y = y(i * this.step);
			this.svg.append(String.format(Locale.ROOT,
					"<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>%n", LEFT, y, RIGHT, y));
			text(LEFT - 8, y + 4, "tick", "end", String.format(Locale.ROOT, "%,.0f", i * this.step));
		}
		this.lines.stream()
			.flatMap((line) -> line.points.stream())
			.mapToDouble(Point::x)
			.distinct()
			.forEach((x) -> text(x(x), BOTTOM + 18, "tick", "middle", String.format(Locale.ROOT, "%,.0f", x)));
		double above = Double.POSITIVE_INFINITY;
		for (int i : byHeight()) {
			above = draw(i, above);
		}
		return this.svg.append("</svg>\n").toString();
	}

	/** From the line that ends lowest to the one that ends highest. */
	private int[] byHeight() {
		return IntStream.range(0, this.lines.size())
			.filter((i) -> !this.lines.get(i).points.isEmpty())
			.boxed()
			.sorted(Comparator.comparingDouble((i) -> this.lines.get(i).last().y))
			.mapToInt(Integer::intValue)
			.toArray();
	}

	private double draw(int number, double below) {
		Line line = this.lines.get(number);
		this.svg.append("<polyline class=\"line line").append(number % 4).append("\" points=\"");
		line.points
			.forEach((point) -> this.svg.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(point.x), y(point.y))));
		this.svg.append("\"/>\n");
		double at = Math.min(y(line.last().y) + 4, below - LABEL);
		text(RIGHT + 8, at, "", "start", String.format(Locale.ROOT, "%s %,.0f", line.label, line.last().y));
		return at;
	}

	private double x(double value) {
		double range = Math.max(1e-9, Math.log10(this.to / this.from));
		return LEFT + (RIGHT - LEFT) * Math.log10(value / this.from) / range;
	}

	private double y(double value) {
		return BOTTOM - (BOTTOM - TOP) * value / (STEPS * this.step);
	}

	private void text(double x, double y, String style, String anchor, String text) {
		this.svg.append(String.format(Locale.ROOT,
				"<text x=\"%.1f\" y=\"%.1f\" class=\"%s\" text-anchor=\"%s\">%s</text>%n", x, y, style, anchor, text));
	}

	/**
	 * A line.
	 *
	 * @param label at its end
	 * @param points from left to right
	 */
	record Line(String label, List<Point> points) {

		Point last() {
			return this.points.get(this.points.size() - 1);
		}

	}

	/**
	 * A point of a line.
	 *
	 * @param x its place on the logarithmic axis
	 * @param y its value
	 */
	record Point(double x, double y) {

	}

}
