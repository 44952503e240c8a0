package io.github.delayqueue.benchmark.systems;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;

import io.github.delayqueue.benchmark.BenchTask;
import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.SystemType.Trait;
import io.github.delayqueue.groups.Group;
import io.github.delayqueue.producer.TaskRequest;

/**
 * The delay queue with tasks of groups, otherwise as {@link DelayQueue}.
 */
public final class GroupedDelayQueue extends DelayQueue {

	/** So many tasks are of quiet tenants where one is noisy: the first ones. */
	public static final int QUIET_TASKS = 1000;

	private static final int QUIET_TENANTS = 50;

	/** By how many groups there are. */
	public static final List<SystemType> TYPES = List.of(
			type("groups-1", "one group", Set.of(Trait.SUBJECT, Trait.REDIS), (number) -> 0),
			type("groups-100", "100 groups", Set.of(Trait.SUBJECT, Trait.REDIS), (number) -> number % 100),
			type("groups-each", "a group for each task", Set.of(Trait.SUBJECT, Trait.REDIS), (number) -> number),
			type("groups-quiet", "a noisy tenant and " + QUIET_TENANTS + " quiet ones",
					Set.of(Trait.SUBJECT, Trait.REDIS, Trait.TENANTS),
					(number) -> (number < QUIET_TASKS) ? number % QUIET_TENANTS : QUIET_TENANTS));

	private final IntUnaryOperator groups;

	private GroupedDelayQueue(Servers servers, IntUnaryOperator groups) {
		super(DelayQueueApplication.class, servers,
				Map.of("delay-queue.queues." + QueueHandler.QUEUE + ".groups.enabled", true));
		this.groups = groups;
	}

	private static SystemType type(String key, String title, Set<Trait> traits, IntUnaryOperator groups) {
		return new SystemType(key, title, "This project with tasks of groups that take turns: " + title + ".", traits,
				(servers) -> new GroupedDelayQueue(servers, groups));
	}

	@Override
	void schedule(BenchTask task) {
		operations().schedule(request(task).build());
	}

	@Override
	TaskRequest.Builder request(BenchTask task) {
		return super.request(task).with(Group.group("tenant-" + this.groups.applyAsInt(task.payload().number())));
	}

}
