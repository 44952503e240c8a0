package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Sends signals to processes.
 */
final class Signals {

	private Signals() {
	}

	/**
	 * Send a signal. A process that has ended by itself is none that fails.
	 * @param signal such as {@code STOP}
	 * @param processes to which
	 */
	static void send(String signal, Stream<ProcessHandle> processes) {
		List<String> command = new ArrayList<>(List.of("kill", "-" + signal));
		processes.forEach((process) -> command.add(String.valueOf(process.pid())));
		try {
			new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start()
				.waitFor();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while sending " + signal, ex);
		}
	}

}
