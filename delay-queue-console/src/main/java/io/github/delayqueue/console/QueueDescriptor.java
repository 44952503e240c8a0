package io.github.delayqueue.console;

import java.time.Instant;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.listener.ContainerStatus;

/**
 * A queue as the endpoint shows it. Public because the endpoint returns it.
 *
 * @param stats its figures, shown beside the others
 * @param journal whether the tasks of the queue are kept in the application's database
 * @param consumers how many instances consume the queue, {@code null} if that cannot be
 * told
 * @param workers how many tasks, or batches, they handle at a time, as far as it is known
 * @param group where the queue belongs by what is to be done
 * @param listeners the containers of this instance
 * @param instances the instances that consume the queue, with their listeners of it, if
 * only this queue was asked for; {@code null} if they are not known
 */
public record QueueDescriptor(@JsonUnwrapped QueueStats stats, boolean journal, @Nullable Integer consumers,
		int workers, Group group, List<Trouble> trouble, List<Listener> listeners,
		@Nullable List<InstanceDescriptor> instances) implements QueueEntry {

	static QueueDescriptor of(QueueStats stats, boolean journal, @Nullable Integer consumers, int workers,
			boolean hasWorked, List<Trouble> trouble, List<ContainerStatus> containers,
			@Nullable List<InstanceDescriptor> instances) {
		return new QueueDescriptor(stats, journal, consumers, workers, group(stats, hasWorked, trouble), trouble,
				containers.stream().map(Listener::of).toList(), instances);
	}

	private static Group group(QueueStats stats, boolean hasWorked, List<Trouble> trouble) {
		if (!trouble.isEmpty()) {
			return switch (trouble.get(0).level()) {
				case DANGER -> Group.DANGER;
				case WARNING -> Group.WARNING;
				case NOTE -> Group.WORKING;
			};
		}
		boolean works = hasWorked || stats.due() + stats.inFlight() + stats.retrying() + stats.dead()
				+ TroubleRules.withinAnHour(stats) > 0;
		return works ? Group.WORKING : Group.QUIET;
	}

	/**
	 * A container of this instance.
	 *
	 * @param concurrency how many tasks (batches) it handles at a time
	 * @param lastPollAt when a claim last succeeded, {@code null} if none has
	 */
	public record Listener(String id, boolean running, int concurrency, int active, @Nullable Instant lastPollAt) {

		static Listener of(ContainerStatus status) {
			return new Listener(status.id(), status.running(), status.concurrency(), status.active(),
					status.lastPollAt());
		}

	}

}
