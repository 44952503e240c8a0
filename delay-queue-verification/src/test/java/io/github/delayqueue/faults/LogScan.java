package io.github.delayqueue.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Looks through what the processes have logged: faults are reported as warnings, an error
 * of ours is something that nobody thought of.
 */
final class LogScan {

	/** The logger's name is abbreviated, see {@code logback-test.xml}. */
	private static final Pattern ERROR = Pattern.compile(" ERROR .* (io|i)\\.(github|g)\\.(delayqueue|d)\\.");

	private LogScan() {
	}

	static void writeErrors(Path directory, HistoryLog log) {
		try (Stream<Path> files = Files.list(directory)) {
			for (Path file : files.filter((path) -> path.toString().endsWith(".log")).toList()) {
				List<String> lines = Files.readAllLines(file);
				lines.stream()
					.filter((line) -> ERROR.matcher(line).find())
					.forEach((line) -> log.write("violation", "log", file.getFileName() + ": " + line));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
