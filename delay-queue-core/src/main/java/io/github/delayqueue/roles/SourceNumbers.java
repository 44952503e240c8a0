package io.github.delayqueue.roles;

import io.github.delayqueue.store.OtherSourcesException;
import io.github.delayqueue.store.ScheduleOptions;

/**
 * Knows to how many sources a queue is spread, for a layer that makes one queue of them.
 * To the store each of them is a queue of its own, by the name that
 * {@link SourceNames#name} gives it. Thread-safe.
 * <p>
 * A caller that schedules tells the number of sources that it knows, by
 * {@link ScheduleOptions#sources()}. A source that knows another one stores nothing and
 * throws {@link OtherSourcesException}.
 */
public interface SourceNumbers {

	/**
	 * Let a source know the number of sources.
	 * @param number what it is to know from now on, empty only to look
	 * @param fresh whether to tell it only if it knows none and has had no task since its
	 * queue was forgotten
	 * @return what it knows then, {@code 1} if nothing
	 */
	String learn(String source, String number, boolean fresh);

}
