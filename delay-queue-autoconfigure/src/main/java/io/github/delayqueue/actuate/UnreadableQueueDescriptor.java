package io.github.delayqueue.actuate;

import java.util.List;

import io.github.delayqueue.run.Trouble;
import io.github.delayqueue.run.TroubleRules;

/**
 * A queue whose figures could not be read, as the endpoint shows it. Public because the
 * endpoint returns it.
 *
 * @param error why, in a sentence
 * @param group {@link QueueEntry.Group#DANGER}
 * @param trouble that it cannot be read
 * @param listeners the containers of this instance
 */
public record UnreadableQueueDescriptor(String error, Group group, List<Trouble> trouble,
		List<QueueDescriptor.Listener> listeners) implements QueueEntry {

	UnreadableQueueDescriptor(String error, List<QueueDescriptor.Listener> listeners) {
		this(error, Group.DANGER, List.of(TroubleRules.unreadable(error)), listeners);
	}

}
