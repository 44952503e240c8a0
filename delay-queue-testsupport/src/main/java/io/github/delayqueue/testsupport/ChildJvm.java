package io.github.delayqueue.testsupport;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.core.TerminalFailureException;
import org.jspecify.annotations.Nullable;

/**
 * A process of a test's own, mostly a JVM, to be listened to, asked, paused and killed.
 * What it writes goes to a file. What a test forgets to close ends with this JVM.
 */
public final class ChildJvm implements AutoCloseable {

	/** As the build starts those of the tests: see {@code tests.jvm} in its pom. */
	private static final List<String> SHORT_LIVED = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
			"-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote");

	/** As in this JVM: on in all tests, off where something is measured. */
	public static final String ASSERTIONS = (ChildJvm.class.desiredAssertionStatus() ? "-ea" : "-da")
			+ ":io.github.delayqueue...";

	/** A JVM that is not quite dead has written where its threads are by then. */
	private static final Duration DUMP = Duration.ofSeconds(5);

	private static final Set<Process> OPEN = ConcurrentHashMap.newKeySet();

	static {
		Runtime.getRuntime()
			.addShutdownHook(new Thread(() -> OPEN.forEach(Process::destroyForcibly), "child-processes"));
	}

	private final Process process;

	private final Path log;

	private final Duration patience;

	private ChildJvm(Process process, Path log, Duration patience) {
		this.process = process;
		this.log = log;
		this.patience = patience;
		OPEN.add(process);
		process.onExit().thenAccept(OPEN::remove);
	}

	/** Begin a process with the executable and the classes of this JVM. */
	public static Builder of(Class<?> main, String... arguments) {
		List<String> all = new ArrayList<>(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
		all.addAll(List.of(arguments));
		return of(all).options("-Xmx256m", ASSERTIONS);
	}

	/**
	 * Begin a process with the executable of this JVM.
	 * @param arguments what follows the options on the command line
	 */
	public static Builder of(List<String> arguments) {
		return new Builder(arguments);
	}

	/** Wait until a line is written that says that the process is ready. */
	public ChildJvm awaitReady(String line) {
		await(Pattern.compile("^" + Pattern.quote(line) + "$", Pattern.MULTILINE), 1);
		return this;
	}

	/**
	 * Wait until a pattern occurs in the log for a certain time.
	 * @param occurrence which one, from one
	 */
	public MatchResult await(Pattern pattern, int occurrence) {
		try {
			return Awaitility.await()
				.atMost(this.patience)
				.pollDelay(Duration.ZERO)
				.pollInterval(Duration.ofMillis(20))
				.failFast(() -> !this.process.isAlive() && found(pattern).count() < occurrence)
				.until(() -> found(pattern).skip(occurrence - 1).findFirst(), Optional::isPresent)
				.orElseThrow();
		}
		catch (ConditionTimeoutException | TerminalFailureException ex) {
			throw new AssertionError("'" + pattern + "' is not there for the " + occurrence + ". time:\n" + log(), ex);
		}
	}

	private Stream<MatchResult> found(Pattern pattern) {
		return pattern.matcher(log()).results();
	}

	/** Write a line to its standard input. */
	public void send(String line) {
		try {
			BufferedWriter input = this.process.outputWriter();
			input.append(line).append('\n').flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public String log() {
		try {
			return Files.readString(this.log);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public long pid() {
		return this.process.pid();
	}

	public boolean isAlive() {
		return this.process.isAlive();
	}

	/**
	 * Do something when it has ended, whyever.
	 * @param action called with the exit status, by another thread
	 */
	public void onEnd(IntConsumer action) {
		this.process.onExit().thenAccept((ended) -> action.accept(ended.exitValue()));
	}

	/**
	 * Send a signal. If it has just ended by itself, that is as good.
	 * @param signal such as {@code KILL}
	 */
	public void signal(String signal) {
		Commands.signal(signal, Stream.of(this.process.toHandle()));
	}

	/**
	 * End it by SIGTERM, and wait until it has ended.
	 * @return whether it has, in time
	 */
	public boolean stop() {
		this.process.destroy();
		return hasEnded(this.patience);
	}

	/**
	 * Let its standard input end, and wait until it has ended by itself.
	 * @param limit for how long
	 * @return whether it has, in time
	 */
	public boolean endInput(Duration limit) {
		try {
			this.process.getOutputStream().close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return hasEnded(limit);
	}

	/**
	 * Wait until it has ended by itself.
	 * @param limit for how long
	 */
	public int awaitEnd(Duration limit) {
		if (!hasEnded(limit)) {
			// its threads go to its log
			signal("QUIT");
			hasEnded(DUMP);
			throw new AssertionError("The process does not end within " + limit + ":\n" + log());
		}
		return this.process.exitValue();
	}

	private boolean hasEnded(Duration limit) {
		try {
			return this.process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while waiting for a process to end", ex);
		}
	}

	/**
	 * End it without any chance to tidy up (SIGKILL), and wait for its end. What it has
	 * started goes on.
	 */
	public void kill() {
		this.process.destroyForcibly().onExit().join();
	}

	/** At once, with all that it has started. Harmless twice. */
	@Override
	public void close() {
		List<ProcessHandle> started = this.process.descendants().toList();
		kill();
		started.forEach(ProcessHandle::destroyForcibly);
		// what still writes must not meet a folder that is being deleted
		started.forEach((child) -> child.onExit().join());
	}

	/** How to run a process. */
	public static final class Builder {

		private final List<String> arguments;

		private final List<String> options = new ArrayList<>(SHORT_LIVED);

		private Path java = Path.of(System.getProperty("java.home"), "bin", "java");

		private final Map<String, String> environment = new HashMap<>();

		private @Nullable Path directory;

		private Machine machine = Machine.LOCAL;

		private Duration patience = Patience.LIMIT;

		private Builder(List<String> arguments) {
			this.arguments = arguments;
		}

		/**
		 * Set the executable, by default that of this JVM.
		 * @param java where it is
		 */
		public Builder java(Path java) {
			this.java = java;
			return this;
		}

		/** Set where it runs, by default on this machine. */
		public Builder on(Machine machine) {
			this.machine = machine;
			return this;
		}

		/** Add options of the JVM. */
		public Builder options(String... options) {
			this.options.addAll(List.of(options));
			return this;
		}

		/**
		 * Leave out the options that all JVMs have which tests start: this one lives long
		 * enough for its code to be compiled as well as can be.
		 */
		public Builder longLived() {
			this.options.removeAll(SHORT_LIVED);
			return this;
		}

		/** Set the working directory, by default that of this JVM. */
		public Builder directory(Path directory) {
			this.directory = directory;
			return this;
		}

		/** Add variables of its environment. */
		Builder environment(Map<String, String> variables) {
			this.environment.putAll(variables);
			return this;
		}

		/**
		 * Let its clock differ from the machine's, which needs a C compiler.
		 * @param offset what is added to the machine's time
		 */
		public Builder clockOffset(Duration offset) {
			return environment(ShiftedClock.environment(offset));
		}

		/**
		 * Set how long to wait for what it is to write, and for its end,
		 * {@link Patience#LIMIT} by default.
		 * @param patience for how long
		 */
		public Builder patience(Duration patience) {
			this.patience = patience;
			return this;
		}

		/** Start the process, with a log that is deleted when this JVM ends. */
		public ChildJvm start() {
			try {
				Path log = Files.createTempFile("java", ".log");
				log.toFile().deleteOnExit();
				return start(log);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		/**
		 * Start the process.
		 * @param log the file that gets what it writes
		 */
		public ChildJvm start(Path log) {
			List<String> command = new ArrayList<>(this.machine.command());
			command.add(this.java.toString());
			command.addAll(this.options);
			command.addAll(this.arguments);
			try {
				ProcessBuilder process = new ProcessBuilder(command)
					.directory((this.directory != null) ? this.directory.toFile() : null)
					.redirectErrorStream(true)
					.redirectOutput(log.toFile());
				process.environment().putAll(this.environment);
				return new ChildJvm(process.start(), log, this.patience);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
