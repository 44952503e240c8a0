package io.github.delayqueue.benchmark.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * Lines over two logarithmic axes as SVG, that can be read on a light and on a dark page.
 */
final class LineChart {

	private static final int WIDTH = 760;

	private static final int HEIGHT = 380;

	private static final int LEFT = 60;

	private static final int RIGHT = 560;

	private static final int TOP = 62;

	private static final int BOTTOM = 330;

	private static final int LABEL = 20;

	private static final String STYLE = """
			text { font: 13px -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328 }
			.title { font-size: 17px; font-weight: 600 } .tick { font-size: 11px; fill: #656d76 } .grid { stroke: #d0d7de }
			.line { fill: none; stroke-width: 2 } .limit { stroke: #cf222e; stroke-dasharray: 4 4 }
			.line0 { stroke: #0969da; stroke-width: 3 } .line1 { stroke: #8c959f } .line2 { stroke: #1a7f37 } .line3 { stroke: #9a6700 }
			.line4 { stroke: #8250df } .line5 { stroke: #bf3989 } .line6 { stroke: #bc4c00 } .line7 { stroke: #0a7ea4 }
			@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .tick { fill: #8d96a0 } .grid { stroke: #30363d } }
			""";

	private final List<Line> lines;

	private final double from;

	private final double to;

	private final double low;

	private final double high;

	private final StringBuilder svg = new StringBuilder();

	private LineChart(List<Line> lines) {
		this.lines = lines;
		this.from = lines.stream().flatMap((line) -> line.points.stream()).mapToDouble(Point::x).min().orElse(1);
		this.to = lines.stream().flatMap((line) -> line.points.stream()).mapToDouble(Point::x).max().orElse(10);
		double least = lines.stream().flatMap((line) -> line.points.stream()).mapToDouble(Point::y).min().orElse(1);
		double most = lines.stream().flatMap((line) -> line.points.stream()).mapToDouble(Point::y).max().orElse(10);
		this.low = Math.floor(Math.log10(Math.max(0.01, least)));
		this.high = Math.max(this.low + 1, Math.ceil(Math.log10(most)));
	}

	/**
	 * Draw.
	 * @param title of the picture
	 * @param axes what the vertical and the horizontal axis show
	 * @param limit a value to be marked
	 * @param lines with at least one point each
	 * @return a document
	 */
	static String svg(String title, List<String> axes, double limit, List<Line> lines) {
		return new LineChart(lines).draw(title, axes, limit);
	}

	private String draw(String title, List<String> axes, double limit) {
		this.svg.append(String.format(Locale.ROOT,
				"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">%n",
				WIDTH, HEIGHT, WIDTH, HEIGHT));
		this.svg.append("<title>").append(title).append("</title>\n<style>\n").append(STYLE).append("</style>\n");
		text(0, 18, "title", "start", title);
		text(0, 44, "", "start", axes.get(0));
		text((LEFT + RIGHT) / 2.0, BOTTOM + 38, "tick", "middle", axes.get(1));
		for (double power = this.low; power <= this.high; power++) {
			horizontal("grid", Math.pow(10, power));
			text(LEFT - 8, y(Math.pow(10, power)) + 4, "tick", "end",
					String.format(Locale.ROOT, (power < 0) ? "%.2f" : "%,.0f", Math.pow(10, power)));
		}
		horizontal("limit", limit);
		xs().forEach((x) -> text(x(x), BOTTOM + 18, "tick", "middle", String.format(Locale.ROOT, "%,.0f", x)));
		for (int i = 0; i < this.lines.size(); i++) {
			draw(this.lines.get(i), "line line" + i % 8, TOP + i * LABEL);
		}
		return this.svg.append("</svg>\n").toString();
	}

	private DoubleStream xs() {
		return this.lines.stream().flatMap((line) -> line.points.stream()).mapToDouble(Point::x).distinct();
	}

	private void horizontal(String style, double value) {
		this.svg.append(String.format(Locale.ROOT, "<line class=\"%s\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>%n",
				style, LEFT, y(value), RIGHT, y(value)));
	}

	private void draw(Line line, String style, int labelAt) {
		String points = line.points.stream()
			.map((point) -> String.format(Locale.ROOT, "%.1f,%.1f", x(point.x), y(point.y)))
			.collect(Collectors.joining(" "));
		this.svg.append(String.format(Locale.ROOT, "<polyline class=\"%s\" points=\"%s\"/>%n", style, points));
		this.svg.append(String.format(Locale.ROOT, "<line class=\"%s\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>%n",
				style, RIGHT + 14, labelAt - 4, RIGHT + 34, labelAt - 4));
		text(RIGHT + 40, labelAt, "", "start", line.label);
	}

	private double x(double value) {
		double range = Math.max(1e-9, Math.log10(this.to / this.from));
		return LEFT + (RIGHT - LEFT) * Math.log10(value / this.from) / range;
	}

	private double y(double value) {
		double part = (Math.log10(Math.max(0.01, value)) - this.low) / (this.high - this.low);
		return BOTTOM - (BOTTOM - TOP) * Math.max(0, part);
	}

	private void text(double x, double y, String style, String anchor, String text) {
		this.svg.append(String.format(Locale.ROOT,
				"<text x=\"%.1f\" y=\"%.1f\" class=\"%s\" text-anchor=\"%s\">%s</text>%n", x, y, style, anchor, text));
	}

	/**
	 * A line.
	 *
	 * @param label its name
	 * @param points from left to right
	 */
	record Line(String label, List<Point> points) {

	}

	/**
	 * A point of a line.
	 *
	 * @param x its place on the horizontal axis
	 * @param y its value
	 */
	record Point(double x, double y) {

	}

}
