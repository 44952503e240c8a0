package io.github.delayqueue.benchmark.measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.SystemType;

/**
 * A consumer in a process of its own, to be looked at or killed. Its output goes where
 * ours goes.
 */
final class Child implements AutoCloseable {

	private final Process process;

	private Child(Process process) {
		this.process = process;
	}

	/**
	 * Start a consumer. Returns at once, see {@link #awaitReady()}.
	 * @param type the system
	 * @param servers its servers
	 * @param ledger where it writes down what it handles
	 * @param workMillis how long its handler takes
	 * @param tasks how many tasks it enqueues before it consumes
	 * @param dueAtMillis when these are due
	 * @return the process
	 */
	static Child start(SystemType type, Servers servers, Ledger ledger, long workMillis, int tasks, long dueAtMillis) {
		return start(type, servers, ledger, workMillis, tasks, dueAtMillis, List.of());
	}

	/**
	 * Start one of many consumers. Their compilers would share the processors for minutes
	 * before any of them is as fast as it gets: they compile only once, and at once.
	 * Returns at once, see {@link #awaitReady()}.
	 * @param type the system
	 * @param servers its servers
	 * @param ledger where it writes down what it handles
	 * @param workMillis how long its handler takes
	 * @return the process
	 */
	static Child startOneOfMany(SystemType type, Servers servers, Ledger ledger, long workMillis) {
		return start(type, servers, ledger, workMillis, 0, 0, List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
	}

	private static Child start(SystemType type, Servers servers, Ledger ledger, long workMillis, int tasks,
			long dueAtMillis, List<String> options) {
		return start(options, ConsumerProcess.class, type.key(), servers.redisHost(),
				String.valueOf(servers.redisPort()), Objects.requireNonNullElse(servers.postgresUrl(), "-"),
				ledger.file().toString(), String.valueOf(ledger.size()), String.valueOf(workMillis),
				String.valueOf(tasks), String.valueOf(dueAtMillis));
	}

	/**
	 * Start a process that says when it is ready and ends when its input does. Returns at
	 * once, see {@link #awaitReady()}.
	 * @param main its main class
	 * @param arguments its arguments
	 * @return the process
	 */
	static Child start(Class<?> main, String... arguments) {
		return start(List.of(), main, arguments);
	}

	private static Child start(List<String> options, Class<?> main, String... arguments) {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xms256m", "-Xmx512m"));
		command.addAll(options);
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
		command.addAll(List.of(arguments));
		try {
			Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
			Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
			return new Child(process);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	Child awaitReady() {
		try {
			BufferedReader output = this.process.inputReader();
			for (String line = output.readLine(); !ConsumerProcess.READY.equals(line); line = output.readLine()) {
				if (line == null) {
					throw new IllegalStateException("The consumer has ended, status " + this.process.waitFor());
				}
			}
			return this;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Say a line and wait for the answer.
	 * @param question the line
	 * @return the answer
	 */
	String ask(String question) {
		try {
			this.process.outputWriter().append(question).append('\n').flush();
			return Objects.requireNonNull(this.process.inputReader().readLine(), "The process has ended");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * CPU time it has used so far.
	 * @return seconds, to a hundredth
	 */
	double cpuSeconds() {
		return this.process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
	}

	/**
	 * End it without any chance to tidy up, and wait for its end.
	 */
	void kill() {
		try {
			this.process.destroyForcibly().waitFor();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Let it stop as an application stops, and wait for its end. Harmless twice.
	 */
	@Override
	public void close() {
		try {
			this.process.getOutputStream().close();
			if (!this.process.waitFor(30, TimeUnit.SECONDS)) {
				kill();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

}
