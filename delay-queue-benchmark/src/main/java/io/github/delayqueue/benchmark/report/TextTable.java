package io.github.delayqueue.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The figures as text: one table for a terminal, several for a document.
 */
final class TextTable {

	private TextTable() {
	}

	/**
	 * All figures in one table, a line for each, a column for each system.
	 * @param run what was measured
	 * @return lines of equal length
	 */
	static String terminal(Run run) {
		List<List<String>> lines = new ArrayList<>();
		List<String> head = new ArrayList<>(List.of(""));
		run.systems().forEach((system) -> head.add(system.key()));
		lines.add(head);
		for (Section section : Section.ALL) {
			for (Row row : section.rows()) {
				if (isMeasured(run, row)) {
					lines.add(line(run, section.key() + ": " + row.label() + ", " + row.unit().text(), row));
				}
			}
		}
		lines.add(errors(run));
		return align(lines);
	}

	private static List<String> line(Run run, String label, Row row) {
		List<String> line = new ArrayList<>(List.of(label));
		run.systems().forEach((system) -> line.add(row.text(run, system.key())));
		return line;
	}

	private static List<String> errors(Run run) {
		List<String> line = new ArrayList<>(List.of("missing + doubled + early, kills excepted"));
		run.systems().forEach((system) -> line.add(Errors.of(run, system.key()).text()));
		return line;
	}

	private static String align(List<List<String>> lines) {
		int columns = lines.get(0).size();
		int[] widths = new int[columns];
		lines.forEach((line) -> {
			for (int column = 0; column < columns; column++) {
				widths[column] = Math.max(widths[column], line.get(column).length());
			}
		});
		StringBuilder text = new StringBuilder();
		for (List<String> line : lines) {
			for (int column = 0; column < columns; column++) {
				String padding = " ".repeat(widths[column] - line.get(column).length());
				text.append((column == 0) ? line.get(column) + padding : "  " + padding + line.get(column));
			}
			text.append('\n');
		}
		return text.toString();
	}

	/**
	 * The figures of a section, a line for each system.
	 * @param run what was measured
	 * @param section the section
	 * @return a table in Markdown
	 */
	static String markdown(Run run, Section section) {
		List<Row> rows = section.rows().stream().filter((row) -> isMeasured(run, row)).toList();
		StringBuilder text = new StringBuilder("| |");
		rows.forEach((row) -> text.append(' ').append(row.label()).append(", ").append(row.unit().text()).append(" |"));
		text.append("\n|---|").append("---:|".repeat(rows.size())).append('\n');
		run.systems().forEach((system) -> {
			List<String> cells = rows.stream().map((row) -> row.text(run, system.key())).toList();
			if (cells.stream().anyMatch((cell) -> !cell.equals("–"))) {
				text.append("| ")
					.append(Targets.ALL_OURS.contains(system.key()) ? "**" + system.title() + "**" : system.title())
					.append(" | ")
					.append(cells.stream().collect(Collectors.joining(" | ")))
					.append(" |\n");
			}
		});
		return text.toString();
	}

	private static boolean isMeasured(Run run, Row row) {
		return run.systems()
			.stream()
			.anyMatch((system) -> run.median(row.measure(), system.key(), row.figure()).isPresent());
	}

}
