package io.github.delayqueue.store.redis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
		List<StoredTask> tasks = page.apply(0);
		if (tasks.size() >= limit || isWhole(tasks)) {
			return tasks;
		}
		Map<String, StoredTask> all = new LinkedHashMap<>();
		int done = 0;
		while (true) {
			tasks.forEach((task) -> all.putIfAbsent(task.id(), task));
			done += tasks.size();
			if (done >= limit || isWhole(tasks)) {
				return new ArrayList<>(all.values());
			}
			tasks = page.apply(done);
		}
	}

	private static boolean isWhole(List<StoredTask> tasks) {
		long bytes = 0;
		for (StoredTask task : tasks) {
			byte[] envelope = task.envelope();
			bytes += (envelope != null) ? envelope.length : 0;
		}
		return bytes < MAX_BYTES;
	}

}
