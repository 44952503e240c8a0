package io.github.delayqueue.console;

import java.util.List;

import io.github.delayqueue.listener.ContainerStatus;
import io.github.delayqueue.console.Trouble.Level;

/**
 * A queue whose figures could not be read, as the endpoint shows it. Public because the
 * endpoint returns it.
 *
 * @param group {@link QueueEntry.Group#DANGER}. If it was not tried, because others could
 * not be reached: the group it had last, {@link QueueEntry.Group#QUIET} if it was never
 * read
 * @param trouble that it cannot be read, only as a note if it was not tried
 * @param listeners the containers of this instance
 */
public record UnreadableQueueDescriptor(String error, Group group, List<Trouble> trouble,
		List<QueueDescriptor.Listener> listeners) implements QueueEntry {

	static UnreadableQueueDescriptor of(String error, List<ContainerStatus> containers) {
		return of(error, Group.DANGER, TroubleRules.unreadable(error), containers);
	}

	static UnreadableQueueDescriptor untried(Group group, List<ContainerStatus> containers) {
		String error = "Not tried, because others could not be reached";
		Trouble trouble = TroubleRules.unreadable(error);
		return of(error, group,
				new Trouble(trouble.code(), Level.NOTE, trouble.sentence(), trouble.advice(), trouble.values(), 0),
				containers);
	}

	private static UnreadableQueueDescriptor of(String error, Group group, Trouble trouble,
			List<ContainerStatus> containers) {
		return new UnreadableQueueDescriptor(error, group, List.of(trouble),
				containers.stream().map(QueueDescriptor.Listener::of).toList());
	}

}
