package io.github.delayqueue.faults;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

import io.github.delayqueue.testsupport.ChildJvm;
import io.github.delayqueue.testsupport.Patience;

/**
 * A place for one process at a time: when it ends, whyever, the next one is started,
 * until the slot is closed. Thread-safe.
 */
final class ProcessSlot implements AutoCloseable {

	/** For a process to start and get to work, on a machine that has much else to do. */
	static final Duration START_TIMEOUT = Duration.ofMinutes(4);

	/** Longer than the applications' own time-outs. */
	private static final Duration END_TIMEOUT = Patience.LIMIT;

	private final String name;

	private final Class<?> main;

	private final List<String> arguments;

	private final Path directory;

	private final HistoryLog log;

	private final UnaryOperator<ChildJvm.Builder> place;

	private volatile @Nullable ChildJvm process;

	private int started;

	private volatile boolean closed;

	/**
	 * Create an empty slot.
	 * @param name name of the slot, what the names of its processes begin with
	 * @param main the class to run
	 * @param directory folder of the histories
	 * @param arguments what follows folder and name on the command line
	 * @param log where starts and ends are written
	 */
	ProcessSlot(String name, Class<?> main, Path directory, List<String> arguments, HistoryLog log) {
		this(name, main, directory, arguments, log, UnaryOperator.identity());
	}

	/**
	 * Create an empty slot for processes on another machine, or with a clock of their
	 * own.
	 * @param place says so
	 */
	ProcessSlot(String name, Class<?> main, Path directory, List<String> arguments, HistoryLog log,
			UnaryOperator<ChildJvm.Builder> place) {
		this.name = name;
		this.directory = directory;
		this.log = log;
		this.main = main;
		this.arguments = arguments;
		this.place = place;
	}

	/** Name of the process that runs now. */
	synchronized String label() {
		return this.name + "-" + this.started;
	}

	String name() {
		return this.name;
	}

	synchronized void start() {
		this.started++;
		String label = label();
		List<String> line = new ArrayList<>(List.of(this.directory.toString(), label));
		line.addAll(this.arguments);
		ChildJvm starting = this.place.apply(ChildJvm.of(this.main, line.toArray(String[]::new)))
			.start(this.directory.resolve(label + ".log"));
		this.process = starting;
		this.log.write("process-started", label, starting.pid());
		starting.onEnd((status) -> ended(label, status));
	}

	private synchronized void ended(String label, int status) {
		this.log.write("process-ended", label, status);
		if (!this.closed) {
			start();
		}
	}

	/**
	 * Wait until a process has started to work.
	 * @param predecessor a process that does not count, {@code null} if there was none
	 */
	void awaitReady(@Nullable String predecessor) {
		Awaitility.await(this.name)
			.atMost(START_TIMEOUT)
			.until(() -> this.closed || (!label().equals(predecessor) && isReady()));
	}

	private boolean isReady() throws IOException {
		Path history = this.directory.resolve(label() + HistoryLog.SUFFIX);
		return Files.exists(history) && Files.readString(history, StandardCharsets.UTF_8)
			.lines()
			.anyMatch((line) -> line.startsWith(ConsumerApplication.READY + " "));
	}

	/**
	 * Send a signal to the process that runs now.
	 * @param signal such as {@code KILL}
	 * @return the name of the process
	 */
	synchronized String signal(String signal) {
		running().signal(signal);
		return label();
	}

	/**
	 * Ask processes to end, start no others, and wait until they have ended.
	 * @param slots what runs in them
	 */
	static void endAll(List<ProcessSlot> slots) {
		slots.forEach(ProcessSlot::askToEnd);
		slots.forEach(ProcessSlot::awaitEnd);
	}

	private void askToEnd() {
		this.closed = true;
		signal("CONT");
		signal("TERM");
	}

	private void awaitEnd() {
		running().awaitEnd(END_TIMEOUT);
	}

	private ChildJvm running() {
		return Objects.requireNonNull(this.process, () -> "Nothing runs in slot " + this.name);
	}

	@Override
	public void close() {
		this.closed = true;
		ChildJvm running = this.process;
		if (running != null) {
			running.close();
		}
	}

}
