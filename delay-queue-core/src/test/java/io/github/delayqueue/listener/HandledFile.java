package io.github.delayqueue.listener;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What a {@link ConsumerProcess} has written.
 *
 * @param started ids of tasks in the order they were started, each as often as it was
 * @param ended ids of those whose handling has ended
 */
record HandledFile(List<String> started, Set<String> ended) {

	static boolean isReady(Path file) {
		return lines(file).contains(ConsumerProcess.READY);
	}

	static HandledFile read(Path file) {
		List<String> started = new ArrayList<>();
		Set<String> ended = new LinkedHashSet<>();
		for (String line : lines(file)) {
			String[] parts = line.split(" ");
			if (parts.length == 2) {
				("S".equals(parts[0]) ? started : ended).add(parts[1]);
			}
		}
		return new HandledFile(started, ended);
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
