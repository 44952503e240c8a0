package io.github.delayqueue.journal;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

import io.github.delayqueue.Names;

/** A row as it was: none of the same id that has been written since. */
record Key(String taskId, long generation) {

	/** By id, as everybody locks rows, so that two do not wait for each other. */
	static final Comparator<Key> ORDER = Comparator.comparing(Key::taskId).thenComparing(Key::generation);

	static List<Key> inOrder(Collection<Key> keys) {
		return keys.stream().distinct().sorted(ORDER).toList();
	}

	static boolean isPossible(String taskId) {
		return Names.objectionToTaskId(taskId) == null;
	}

}
