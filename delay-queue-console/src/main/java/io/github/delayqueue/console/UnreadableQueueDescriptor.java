package io.github.delayqueue.console;

import java.util.List;

import io.github.delayqueue.console.Trouble.Level;
import io.github.delayqueue.listener.ContainerStatus;

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
		return of(error, Group.DANGER, Level.DANGER, containers);
	}

	static UnreadableQueueDescriptor untried(Group group, List<ContainerStatus> containers) {
		return of("Not tried, because others could not be reached", group, Level.NOTE, containers);
	}

	private static UnreadableQueueDescriptor of(String error, Group group, Level level,
			List<ContainerStatus> containers) {
		Trouble why = TroubleRules.unreadable(error);
		return new UnreadableQueueDescriptor(error, group,
				List.of(new Trouble(why.code(), level, why.sentence(), why.advice(), why.values(), 0)),
				containers.stream().map(QueueDescriptor.Listener::of).toList());
	}

}
