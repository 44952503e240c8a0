package io.github.delayqueue.store.redis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;

import io.github.delayqueue.store.StoredTask;

/**
 * Collects tasks by several calls, because Redis does nothing else while it reads their
 * envelopes. Others may move tasks between two calls.
 */
final class TaskPages {

	/** So many bytes of envelopes end an answer of {@code list.lua}. */
	static final int MAX_BYTES = 1024 * 1024;

	private TaskPages() {
	}

	/**
	 * Collect tasks.
	 * @param limit how many at most
	 * @param page gives tasks, to who has so many already
	 */
	static List<StoredTask> collect(int limit, IntFunction<List<StoredTask>> page) {
		Map<String, StoredTask> all = new LinkedHashMap<>();
		List<StoredTask> tasks;
		int done = 0;
		do {
			tasks = page.apply(done);
			tasks.forEach((task) -> all.putIfAbsent(task.id(), task));
			done += tasks.size();
		}
		while (done < limit && !isWhole(tasks));
		return new ArrayList<>(all.values());
	}

	private static boolean isWhole(List<StoredTask> tasks) {
		return tasks.stream()
			.map(StoredTask::envelope)
			.filter(Objects::nonNull)
			.mapToLong((envelope) -> envelope.length)
			.sum() < MAX_BYTES;
	}

}
