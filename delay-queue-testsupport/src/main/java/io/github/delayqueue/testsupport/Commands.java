package io.github.delayqueue.testsupport;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Commands of this machine.
 */
final class Commands {

	private Commands() {
	}

	/**
	 * Look for executables on the {@code PATH}.
	 * @param names in the order of preference
	 * @return the first of them
	 */
	static Optional<Path> find(List<String> names) {
		String[] folders = System.getenv().getOrDefault("PATH", "").split(File.pathSeparator);
		return names.stream()
			.flatMap((name) -> Arrays.stream(folders).map((folder) -> Path.of(folder, name)))
			.filter((path) -> path.isAbsolute() && Files.isExecutable(path))
			.findFirst();
	}

	/**
	 * Run a command and throw away what it says.
	 * @param limit how long it may take
	 * @return whether there is such a command, and it succeeded
	 */
	static boolean succeeds(Duration limit, List<String> command) {
		try {
			Process process = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start();
			try {
				return process.waitFor(limit.toSeconds(), TimeUnit.SECONDS) && process.exitValue() == 0;
			}
			finally {
				process.destroy();
			}
		}
		catch (IOException ex) {
			return false;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while waiting for " + command, ex);
		}
	}

	/**
	 * Send a signal. A process that has ended by itself is none that fails.
	 * @param signal such as {@code STOP}
	 * @param processes to which
	 */
	static void signal(String signal, Stream<ProcessHandle> processes) {
		succeeds(Patience.LIMIT,
				Stream
					.concat(Stream.of("kill", "-" + signal), processes.map((process) -> String.valueOf(process.pid())))
					.toList());
	}

}
