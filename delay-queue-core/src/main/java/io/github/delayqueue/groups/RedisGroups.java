package io.github.delayqueue.groups;

import java.util.List;

import io.github.delayqueue.store.TaskMarks;
import io.github.delayqueue.store.TaskPart;
import io.github.delayqueue.store.redis.ScriptRunner;

/**
 * Looks at groups in Redis. A role of the store. Public for wiring. Thread-safe.
 *
 * @param queues those that have groups
 */
public record RedisGroups(ScriptRunner scripts, GroupedQueues queues) implements TaskMarks {

	@Override
	public List<TaskPart> parts(String queue, byte[] envelope) {
		Group group = this.queues.owns(queue) ? Group.of(envelope) : null;
		return (group != null) ? List.of(group) : List.of();
	}

}
