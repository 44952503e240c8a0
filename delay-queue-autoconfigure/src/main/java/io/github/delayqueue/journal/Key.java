package io.github.delayqueue.journal;

import java.util.Comparator;

/**
 * A row as it was: none of the same id that has been written since.
 *
 * @param taskId the task's id
 * @param generation its generation
 */
record Key(String taskId, long generation) {

	/** By id, as everybody locks rows, so that two do not wait for each other. */
	static final Comparator<Key> ORDER = Comparator.comparing(Key::taskId).thenComparing(Key::generation);

}
