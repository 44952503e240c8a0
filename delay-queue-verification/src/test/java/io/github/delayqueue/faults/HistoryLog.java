package io.github.delayqueue.faults;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * The history of one process: a file of lines, outside Redis. Each line is one call of
 * the system, so that it outlives the process, and has the form
 * {@code <what> <milliseconds since the epoch> <details>}. Thread-safe.
 */
final class HistoryLog implements AutoCloseable {

	/** How the files are called. */
	static final String SUFFIX = ".history";

	/** Not a channel, which an interrupted thread would close. */
	private final FileOutputStream file;

	private HistoryLog(FileOutputStream file) {
		this.file = file;
	}

	/**
	 * Open the history of a process.
	 * @param directory where the histories lie
	 * @param process name of the process
	 * @return the log
	 */
	static HistoryLog open(Path directory, String process) {
		try {
			return new HistoryLog(new FileOutputStream(directory.resolve(process + SUFFIX).toFile(), true));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Write a line.
	 * @param what what happened
	 * @param details words; only the last may hold spaces
	 */
	void write(String what, @Nullable Object... details) {
		StringBuilder line = new StringBuilder(what).append(' ').append(System.currentTimeMillis());
		for (Object detail : details) {
			line.append(' ').append(String.valueOf(detail).replaceAll("\\R", " "));
		}
		byte[] bytes = line.append('\n').toString().getBytes(StandardCharsets.UTF_8);
		try {
			this.file.write(bytes);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		try {
			this.file.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
