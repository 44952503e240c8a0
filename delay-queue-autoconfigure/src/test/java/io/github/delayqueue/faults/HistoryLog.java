package io.github.delayqueue.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * The history of one process: a file of lines, outside Redis. Each line is one call of
 * the system, so that it outlives the process, and has the form
 * {@code <what> <milliseconds since the epoch> <details>}. Thread-safe.
 */
final class HistoryLog implements AutoCloseable {

	/** How the files are called. */
	static final String SUFFIX = ".history";

	private final FileChannel file;

	private HistoryLog(FileChannel file) {
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
			return new HistoryLog(FileChannel.open(directory.resolve(process + SUFFIX), StandardOpenOption.CREATE,
					StandardOpenOption.APPEND));
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
		writeAll(line.append('\n'));
	}

	private void writeAll(CharSequence text) {
		ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
		try {
			synchronized (this) {
				while (bytes.hasRemaining()) {
					this.file.write(bytes);
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** How names of enum constants are written: {@code lease-expired}. */
	static String word(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
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
