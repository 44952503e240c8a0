package io.github.delayqueue.listener;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a {@link ConsumerProcess} has written.
 *
 * @param started ids of tasks in the order they were started, each as often as it was
 * @param endedAt by id, when the handling ended, in milliseconds since the epoch
 * @param lastWriteAt when the last line was written
 */
record HandledFile(List<String> started, Map<String, Long> endedAt, long lastWriteAt) {

	static boolean isReady(Path file) {
		return lines(file).contains(ConsumerProcess.READY);
	}

	static HandledFile read(Path file) {
		List<String> started = new ArrayList<>();
		Map<String, Long> endedAt = new LinkedHashMap<>();
		long lastWriteAt = 0;
		for (String line : lines(file)) {
			String[] parts = line.split(" ");
			if (parts.length == 3) {
				lastWriteAt = Long.parseLong(parts[2]);
				if ("S".equals(parts[0])) {
					started.add(parts[1]);
				}
				else {
					endedAt.put(parts[1], lastWriteAt);
				}
			}
		}
		return new HandledFile(started, endedAt, lastWriteAt);
	}

	private static List<String> lines(Path file) {
		try {
			return Files.exists(file) ? Files.readAllLines(file) : List.of();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** What a process held when it was killed, and may have started. */
	Set<String> heldAtTheEnd(long settlingMillis) {
		Set<String> held = new TreeSet<>(this.started);
		held.removeIf((id) -> {
			Long at = this.endedAt.get(id);
			return at != null && at < this.lastWriteAt - settlingMillis;
		});
		return held;
	}

}
