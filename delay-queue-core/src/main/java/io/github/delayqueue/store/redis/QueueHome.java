package io.github.delayqueue.store.redis;

import java.util.List;

/**
 * Keeps some queues in another way than the store does. For such a queue, a script that
 * lies beside this class replaces that of the same name in the store. A part does.
 * Thread-safe.
 */
public interface QueueHome {

	/** Whether a queue, or a source of one, is kept in this way. */
	boolean owns(String source);

	/** Ends of its own keys; each script gets them behind all others. */
	List<String> keys();

	/** Add arguments to those of a claim. */
	default void addTo(ScriptCall claim) {
	}

}
