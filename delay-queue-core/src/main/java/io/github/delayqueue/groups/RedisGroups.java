package io.github.delayqueue.groups;

import java.util.ArrayList;
import java.util.List;

import io.github.delayqueue.groups.GroupFigures.Page;
import io.github.delayqueue.groups.GroupFigures.Waiting;
import io.github.delayqueue.store.TaskPart;
import io.github.delayqueue.store.redis.QueueKey;
import io.github.delayqueue.store.redis.Replies;
import io.github.delayqueue.store.redis.Script;
import io.github.delayqueue.store.redis.ScriptRunner;

/**
 * Looks at groups in Redis, and pauses them. A role of the store. Public for wiring.
 * Thread-safe.
 *
 * @param queues those that have groups; of others there must be no call but
 * {@link #parts}
 */
public record RedisGroups(ScriptRunner scripts, GroupedQueues queues) {

	/** Groups that one look counts, in a few milliseconds. */
	private static final int LOOKS = 200;

	private static final Script FIGURES = Script.reading(RedisGroups.class, "group_figures.lua", "count groups of",
			QueueKey.NORMAL, QueueKey.HIGH, QueueKey.LOW);

	private static final Script WAITING = Script.reading(RedisGroups.class, "waiting_in.lua", "read a group of",
			QueueKey.HIGH, QueueKey.NORMAL, QueueKey.LOW);

	private static final Script PAUSE = Script.writing(RedisGroups.class, "pause_group.lua", "pause a group of",
			QueueKey.NORMAL, QueueKey.HIGH, QueueKey.LOW, QueueKey.TASKS, QueueKey.LEASES, QueueKey.META);

	/** The parts of another task like this one in the queue; none if it takes none. */
	public List<TaskPart> parts(String queue, byte[] envelope) {
		Group group = this.queues.owns(queue) ? Group.of(envelope) : null;
		return (group != null) ? List.of(group) : List.of();
	}

	/** Whether a queue has groups. */
	public boolean has(String queue) {
		return this.queues.owns(queue);
	}

	/**
	 * Count the tasks of some groups.
	 * @param from 0, or what the page before says
	 */
	public Page figures(String queue, long from) {
		boolean limited = this.queues.concurrency(queue) != null;
		return this.scripts.run(this.scripts.call(FIGURES, queue).add(this.scripts.now()).add(from).add(LOOKS),
				(reply) -> {
					List<GroupFigures> groups = new ArrayList<>();
					for (int i = 2; i < reply.size(); i += 5) {
						String name = Replies.text(reply.get(i));
						groups.add(new GroupFigures(name.isEmpty() ? null : name, (Long) reply.get(i + 1),
								(Long) reply.get(i + 2), (limited && !name.isEmpty()) ? (Long) reply.get(i + 3) : null,
								(Long) reply.get(i + 4) == 1));
					}
					return new Page((Long) reply.get(0), (Long) reply.get(1), groups);
				});
	}

	/** How many groups a queue has. */
	public long count(String queue) {
		return figures(queue, Integer.MAX_VALUE).total();
	}

	/** Find tasks of a group that wait, so many at most. */
	public Waiting waiting(String queue, Group group, int limit) {
		return this.scripts.run(this.scripts.call(WAITING, queue).add(group.group()).add(limit),
				(reply) -> new Waiting(Replies.number(reply),
						reply.stream().skip(1).map((id) -> Replies.id(id)).toList()));
	}

	/**
	 * Take no tasks of a group any more, or take them again. Deliveries under way go on.
	 * @return whether that was not so already
	 */
	public boolean setPaused(String queue, Group group, boolean paused) {
		return this.scripts.run(this.scripts.timed(PAUSE, queue).add(group.group()).add(paused ? "1" : "0"),
				Replies::flag);
	}

}
