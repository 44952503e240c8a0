package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.core.TerminalFailureException;

/**
 * A Java process of a test's own. What it writes goes to a file.
 */
public final class ChildJvm implements AutoCloseable {

	/** As the build starts those of the tests: see {@code tests.jvm} in its pom. */
	private static final List<String> SHORT_LIVED = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

	private final Process process;

	private final Path log;

	private ChildJvm(Process process, Path log) {
		this.process = process;
		this.log = log;
	}

	/**
	 * Start a process.
	 * @param java the executable
	 * @param folder where its log is to be
	 * @param arguments what follows it on the command line
	 * @return the process
	 */
	public static ChildJvm start(Path java, Path folder, List<String> arguments) {
		try {
			Path log = Files.createTempFile(folder, "java", ".log");
			return new ChildJvm(new ProcessBuilder(command(java, arguments)).redirectErrorStream(true)
				.redirectOutput(log.toFile())
				.start(), log);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * What starts a process, for tests that talk to it by other ways than its log.
	 * @param java the executable
	 * @param arguments what follows it on the command line
	 * @return the command, with the options of all JVMs that tests start
	 */
	public static List<String> command(Path java, List<String> arguments) {
		List<String> command = new ArrayList<>(List.of(java.toString()));
		command.addAll(SHORT_LIVED);
		command.addAll(arguments);
		return command;
	}

	/**
	 * What starts a process with the executable and the classes of this JVM.
	 * @param main the class to run
	 * @param arguments its arguments
	 * @return the command
	 */
	public static List<String> command(Class<?> main, String... arguments) {
		List<String> all = new ArrayList<>(
				List.of("-Xmx256m", "-cp", System.getProperty("java.class.path"), main.getName()));
		all.addAll(List.of(arguments));
		return command(thisJava(), all);
	}

	/**
	 * The executable of this JVM.
	 * @return where it is
	 */
	public static Path thisJava() {
		return Path.of(System.getProperty("java.home"), "bin", "java");
	}

	/**
	 * Wait until a pattern occurs in the log for a certain time.
	 * @param pattern the pattern
	 * @param occurrence which one, from one
	 * @return what matched
	 */
	public MatchResult await(Pattern pattern, int occurrence) {
		try {
			return Awaitility.await()
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

	public String log() {
		try {
			return Files.readString(this.log);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * End it by SIGTERM, and wait until it has ended.
	 * @return whether it has, in time
	 */
	public boolean stop() {
		this.process.destroy();
		return hasEnded();
	}

	/**
	 * Wait until it has ended by itself.
	 * @return its exit status
	 */
	public int awaitEnd() {
		if (!hasEnded()) {
			throw new AssertionError("The process does not end:\n" + log());
		}
		return this.process.exitValue();
	}

	private boolean hasEnded() {
		try {
			return this.process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	/** At once. */
	@Override
	public void close() {
		this.process.destroyForcibly().onExit().join();
	}

}
