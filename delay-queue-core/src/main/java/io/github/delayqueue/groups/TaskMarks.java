package io.github.delayqueue.groups;

import java.util.List;

import io.github.delayqueue.store.TaskPart;

/**
 * A {@linkplain io.github.delayqueue.store.TaskStore#role role} of a store: reads what a
 * part has written into an envelope by {@link TaskPart#mark}. For extension.
 */
public interface TaskMarks {

	/** The parts of another task like this one in the queue; none if it takes none. */
	List<TaskPart> parts(String queue, byte[] envelope);

}
