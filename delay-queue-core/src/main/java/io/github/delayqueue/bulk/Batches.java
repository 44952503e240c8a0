package io.github.delayqueue.bulk;

import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;

import io.github.delayqueue.producer.EncodedTask;

/** How many tasks go into one call. */
final class Batches {

	/** More bytes in one call would do its latency no good. */
	private static final long MAX_BYTES = 4 * 1024 * 1024;

	private Batches() {
	}

	/**
	 * Take what goes into one call: so many tasks, or fewer that are large. A task of any
	 * size goes into a call of its own.
	 */
	static <T> List<T> take(Deque<T> waiting, int most, Function<T, EncodedTask> task) {
		List<T> taken = new ArrayList<>();
		long bytes = 0;
		while (!waiting.isEmpty() && taken.size() < most) {
			bytes += task.apply(waiting.element()).bytes();
			if (bytes > MAX_BYTES && !taken.isEmpty()) {
				break;
			}
			taken.add(waiting.remove());
		}
		return taken;
	}

}
