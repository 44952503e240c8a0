package io.github.delayqueue.store.memory;

import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.store.StoredTask;

/**
 * The tasks of a queue, each of them in exactly one index: one for each priority of
 * scheduled tasks, and one for each other state.
 */
final class TaskTable {

	/** Score that nothing has: later than everything. */
	static final long NEVER = Long.MAX_VALUE;

	private final Map<String, TaskEntry> entries = new HashMap<>();

	/** One of each state, of scheduled tasks one of each priority. */
	private final Map<TaskState, List<NavigableSet<TaskEntry>>> indexes = new EnumMap<>(TaskState.class);

	TaskTable() {
		for (TaskState state : TaskState.values()) {
			int count = (state == TaskState.SCHEDULED) ? TaskPriority.values().length : 1;
			this.indexes.put(state,
					Stream.<NavigableSet<TaskEntry>>generate(() -> new TreeSet<>(TaskEntry.ORDER))
						.limit(count)
						.toList());
		}
	}

	@Nullable TaskEntry get(String id) {
		return this.entries.get(id);
	}

	@Nullable TaskEntry get(String id, TaskState state) {
		TaskEntry entry = get(id);
		return (entry != null && entry.state() == state) ? entry : null;
	}

	/** Put a task where its entry says, away from where it was. */
	void put(TaskEntry entry) {
		remove(entry.id());
		this.entries.put(entry.id(), entry);
		index(entry).add(entry);
	}

	void remove(String id) {
		TaskEntry entry = this.entries.remove(id);
		if (entry != null) {
			index(entry).remove(entry);
		}
	}

	void clear() {
		List.copyOf(this.entries.keySet()).forEach(this::remove);
	}

	int size() {
		return this.entries.size();
	}

	int size(TaskState state) {
		return this.indexes.get(state).stream().mapToInt(Collection::size).sum();
	}

	/** In order; scheduled ones due in the same millisecond by priority. */
	Stream<TaskEntry> in(TaskState state) {
		Stream<TaskEntry> entries = this.indexes.get(state).stream().flatMap(Collection::stream);
		return (state == TaskState.SCHEDULED) ? entries.sorted(Comparator.comparingLong(TaskEntry::score)) : entries;
	}

	/** Up to a number of each index: index by index, each in order. */
	Stream<TaskEntry> reached(TaskState state, long score, long limit) {
		return this.indexes.get(state)
			.stream()
			.flatMap((index) -> index.stream().takeWhile((entry) -> entry.score() <= score).limit(limit));
	}

	/** The earliest score of a state from a time on, {@link #NEVER} if there is none. */
	long earliest(TaskState state, long from) {
		return this.indexes.get(state)
			.stream()
			.flatMap((index) -> index.stream().filter((entry) -> entry.score() >= from).limit(1))
			.mapToLong(TaskEntry::score)
			.min()
			.orElse(NEVER);
	}

	Optional<StoredTask> find(String taskId) {
		return Optional.ofNullable(get(taskId)).map((entry) -> entry.toStoredTask(true));
	}

	List<StoredTask> list(TaskState state, int offset, int limit, int mostBytes) {
		return in(state).skip(offset)
			.limit(limit)
			.map((entry) -> entry.toStoredTask(mostBytes > 0 && entry.envelope().length <= mostBytes))
			.toList();
	}

	private NavigableSet<TaskEntry> index(TaskEntry entry) {
		int index = (entry.state() == TaskState.SCHEDULED) ? entry.priority().ordinal() : 0;
		return this.indexes.get(entry.state()).get(index);
	}

}
