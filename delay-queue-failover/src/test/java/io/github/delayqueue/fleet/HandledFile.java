package io.github.delayqueue.fleet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What a {@link ConsumerProcess} has written.
 *
 * @param started ids of tasks in the order they were started, each as often as it was
 */
record HandledFile(List<String> started) {

	static boolean isReady(Path file) {
		return lines(file).contains(ConsumerProcess.READY);
	}

	static HandledFile read(Path file) {
		return new HandledFile(lines(file).stream()
			.filter((line) -> line.startsWith(ConsumerProcess.STARTED))
			.map((line) -> line.substring(ConsumerProcess.STARTED.length()))
			.toList());
	}

	private static List<String> lines(Path file) {
		try {
			return Files.exists(file) ? Files.readAllLines(file) : List.of();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
