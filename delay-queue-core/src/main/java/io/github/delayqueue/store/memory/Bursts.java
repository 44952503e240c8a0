package io.github.delayqueue.store.memory;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;

/**
 * Until when the bursts go on of which the first task leads, by its id. Those that are
 * over are removed as the store in Redis does it: when its clock is set back, some of
 * them go on again.
 */
final class Bursts {

	private static final Comparator<Map.Entry<String, Long>> ORDER = Map.Entry.<String, Long>comparingByValue()
		.thenComparing((end) -> end.getKey().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

	private final Map<String, Long> ends = new HashMap<>();

	/** To be cleared by whoever forgets all tasks. */
	Map<String, Long> ends() {
		return this.ends;
	}

	/** When a task is due, which only leads if it begins a burst. */
	DueTime due(NewTask task, StepTime now) {
		DueTime due = task.due();
		return due.leading(due.leading() && begins(task.id(), due, now));
	}

	/** Whether a task begins a burst; it goes on for the quiet time from now on. */
	boolean begins(String id, DueTime due, StepTime now) {
		Long before = this.ends.put(id, due.leading(false).resolveMillis(now.micros()));
		return before == null || before <= now.millis();
	}

	/** Remove those that have been over for longest, up to two for each that comes. */
	void trim(long coming, StepTime now) {
		List<String> over = this.ends.entrySet()
			.stream()
			.filter((end) -> end.getValue() <= now.millis())
			.sorted(ORDER)
			.limit(2 * coming)
			.map(Map.Entry::getKey)
			.toList();
		over.forEach(this.ends::remove);
	}

}
