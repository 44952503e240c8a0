package io.github.delayqueue.benchmark.report;

import java.util.List;
import java.util.Locale;

/**
 * Horizontal bars as SVG, one panel below the other, that can be read on a light and on a
 * dark page.
 */
final class BarChart {

	private static final int WIDTH = 760;

	private static final int LEFT = 190;

	/** Room for the figures behind the bars. */
	private static final int RIGHT = 120;

	private static final int TITLE = 56;

	private static final int PANEL_TITLE = 26;

	private static final int BAR = 22;

	private static final int AXIS = 26;

	static final String STYLE = """
			text { font: 13px -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328 }
			.title { font-size: 17px; font-weight: 600 } .panel { font-weight: 600 }
			.tick { font-size: 11px; fill: #656d76 } .grid { stroke: #d0d7de }
			.ours { fill: #0969da } .peer { fill: #d4a72c } .bound { fill: #8c959f } .strong { font-weight: 600 }
			.stopped { fill-opacity: 0.25; stroke: #8c959f; stroke-dasharray: 3 3 }
			@media (prefers-color-scheme: dark) {
				text { fill: #e6edf3 } .tick { fill: #8d96a0 } .grid { stroke: #30363d }
				.ours { fill: #4493f8 } .peer { fill: #bb8009 } .bound { fill: #6e7681 }
			}
			""";

	private final String title;

	private final List<Panel> panels;

	private final StringBuilder svg = new StringBuilder();

	private BarChart(String title, List<Panel> panels) {
		this.title = title;
		this.panels = panels;
	}

	/**
	 * Draw.
	 * @param title of the picture
	 * @param panels from top to bottom, those without bars left out
	 * @return a document
	 */
	static String svg(String title, List<Panel> panels) {
		return new BarChart(title, panels.stream().filter((panel) -> !panel.bars.isEmpty()).toList()).draw();
	}

	private String draw() {
		int height = TITLE + this.panels.stream().mapToInt(BarChart::height).sum();
		this.svg.append(String.format(Locale.ROOT,
				"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">%n",
				WIDTH, height, WIDTH, height));
		this.svg.append("<title>").append(escape(this.title)).append("</title>\n<style>\n");
		this.svg.append(STYLE).append("</style>\n");
		text(0, 18, "title", "start", this.title);
		legend();
		int top = TITLE;
		for (Panel panel : this.panels) {
			draw(panel, top);
			top += height(panel);
		}
		return this.svg.append("</svg>\n").toString();
	}

	private void legend() {
		int x = 0;
		for (Kind kind : Kind.values()) {
			this.svg.append(String.format(Locale.ROOT, "<circle class=\"%s\" cx=\"%d\" cy=\"37\" r=\"5\"/>%n",
					kind.name().toLowerCase(Locale.ROOT), x + 5));
			text(x + 15, 41, "tick", "start", kind.text);
			x += 25 + 7 * kind.text.length();
		}
	}

	private static int height(Panel panel) {
		return PANEL_TITLE + panel.bars.size() * BAR + AXIS;
	}

	private void draw(Panel panel, int top) {
		text(0, top + 14, "panel", "start", panel.title);
		Scale scale = Scale.of(panel, WIDTH - LEFT - RIGHT);
		int y = top + PANEL_TITLE;
		int bottom = y + panel.bars.size() * BAR;
		for (double tick : scale.ticks()) {
			double x = LEFT + scale.length(tick);
			this.svg.append(String.format(Locale.ROOT,
					"<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>%n", x, y - 2, x, bottom));
			text(x, bottom + 13, "tick", "middle", tickText(tick));
		}
		for (Bar bar : panel.bars) {
			double length = scale.length(bar.value);
			text(LEFT - 8, y + 15, (bar.kind == Kind.OURS) ? "strong" : "", "end", bar.label);
			this.svg.append(String.format(Locale.ROOT,
					"<rect class=\"%s%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>%n",
					bar.kind.name().toLowerCase(Locale.ROOT), bar.stopped ? " stopped" : "", LEFT, y + 3, length,
					BAR - 6));
			text(LEFT + length + 6, y + 15, (bar.kind == Kind.OURS) ? "strong" : "", "start", bar.text);
			y += BAR;
		}
	}

	private void text(double x, int y, String style, String anchor, String text) {
		this.svg
			.append(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%d\" class=\"%s\" text-anchor=\"%s\">%s</text>%n",
					x, y, style, anchor, escape(text)));
	}

	private static String tickText(double tick) {
		if (tick >= 1_000_000) {
			return String.format(Locale.ROOT, "%.0fM", tick / 1_000_000);
		}
		return (tick >= 1000) ? String.format(Locale.ROOT, "%.0fk", tick / 1000)
				: (tick >= 1) ? String.format(Locale.ROOT, "%.0f", tick) : String.valueOf(tick);
	}

	private static String escape(String text) {
		return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
	}

	/**
	 * Whose bar it is.
	 */
	enum Kind {

		/** The delay queue's. */
		OURS("this project"),

		/** That of a system which does the same work. */
		PEER("another delay queue"),

		/** That of something which does less. */
		BOUND("a bound: does less than a delay queue has to");

		private final String text;

		Kind(String text) {
			this.text = text;
		}

	}

	/**
	 * A bar.
	 *
	 * @param label on its left
	 * @param value its length
	 * @param text on its right
	 * @param kind whose
	 * @param stopped whether the value is a bound only
	 */
	record Bar(String label, double value, String text, Kind kind, boolean stopped) {

	}

	/**
	 * Bars with one axis.
	 *
	 * @param title above, with the unit
	 * @param logarithmic whether lengths are logarithms
	 * @param bars from top to bottom
	 */
	record Panel(String title, boolean logarithmic, List<Bar> bars) {

	}

}
