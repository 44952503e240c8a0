package io.github.delayqueue.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where reports go: into the folder of the run, and into a document if one is named.
 */
final class ReportFiles {

	static final String BEGIN = "<!-- faults: written by mvn verify -Pfaults -Dfaults.report=... -->";

	static final String END = "<!-- end of faults -->";

	private ReportFiles() {
	}

	static void write(Report report, Path directory) throws IOException {
		Files.writeString(directory.resolve("report.md"), report.text());
	}

	/**
	 * Replace what stands between the markers of a document.
	 * @param report what to write
	 * @param document the document, with a line {@link #BEGIN} and a line {@link #END}
	 * @throws IOException if it cannot be read or written
	 */
	static void writeInto(Report report, Path document) throws IOException {
		String text = Files.readString(document);
		int begin = text.indexOf(BEGIN);
		int end = text.indexOf(END);
		if (begin < 0 || end < begin) {
			throw new IllegalStateException(document + " needs the lines " + BEGIN + " and " + END);
		}
		Files.writeString(document,
				text.substring(0, begin + BEGIN.length()) + "\n\n" + report.text() + "\n" + text.substring(end));
	}

}
