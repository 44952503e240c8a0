package io.github.delayqueue.faults;

import java.io.Closeable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * The history of one process: a file of lines, outside Redis. Each line is one call of
 * the system, so that it outlives the process, and has the form
 * {@code <what> <milliseconds since the epoch> <details>}. Thread-safe.
 */
public final class HistoryLog implements AutoCloseable {

	/** How the files are called. */
	static final String SUFFIX = ".history";

	private final Consumer<String> lines;

	private final Closeable file;

	private final LongSupplier clock;

	/**
	 * Write the history of a process somewhere else.
	 * @param lines gets one line at a time
	 * @param clock milliseconds since the epoch
	 */
	public HistoryLog(Consumer<String> lines, LongSupplier clock) {
		this(lines, () -> {
		}, clock);
	}

	private HistoryLog(Consumer<String> lines, Closeable file, LongSupplier clock) {
		this.lines = lines;
		this.file = file;
		this.clock = clock;
	}

	/**
	 * Open the history of a process.
	 * @param directory where the histories lie
	 * @param process name of the process
	 * @return the log
	 */
	static HistoryLog open(Path directory, String process) {
		return open(directory, process, Duration.ZERO);
	}

	/**
	 * Open the history of a process whose clock differs from the machine's.
	 * @param clockOffset what its clock adds, and its history does not
	 */
	static HistoryLog open(Path directory, String process, Duration clockOffset) {
		try {
			// not a channel, which an interrupted thread would close
			OutputStream file = new FileOutputStream(directory.resolve(process + SUFFIX).toFile(), true);
			return new HistoryLog((line) -> append(file, line), file,
					() -> System.currentTimeMillis() - clockOffset.toMillis());
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
	public void write(String what, @Nullable Object... details) {
		StringBuilder line = new StringBuilder(what).append(' ').append(this.clock.getAsLong());
		for (Object detail : details) {
			line.append(' ').append(detail);
		}
		this.lines.accept(line.toString().replace('\r', ' ').replace('\n', ' '));
	}

	/** The time that the history counts in, milliseconds since the epoch. */
	long now() {
		return this.clock.getAsLong();
	}

	private static void append(OutputStream file, String line) {
		try {
			file.write((line + '\n').getBytes(StandardCharsets.UTF_8));
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
