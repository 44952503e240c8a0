package io.github.delayqueue.groups;

import io.github.delayqueue.limits.RateLimit;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.store.StoredTask;

/**
 * The groups of tasks in random histories of a queue that has groups.
 */
public final class GroupedHistories {

	/** How many groups there are, with that of tasks without one. */
	public static final int GROUPS = 4;

	/** How many tasks of a group may be in flight. */
	public static final int LIMIT = 2;

	private GroupedHistories() {
	}

	/** Queues whose groups take turns, and no more. */
	public static GroupedQueues inTurn() {
		return queues(enabled());
	}

	/** Queues whose groups have a limit. */
	public static GroupedQueues limited() {
		return queues(enabled().with(GroupedQueues.CONCURRENCY, LIMIT));
	}

	/** Queues whose groups have a limit of one, and keep order strictly. */
	public static GroupedQueues ordered() {
		return queues(enabled().with(GroupedQueues.ORDERED, true));
	}

	/** Queues whose groups have a rate. */
	public static GroupedQueues rated() {
		return queues(enabled().with(GroupedQueues.RATE_LIMIT, RateLimit.parse("2/s")));
	}

	private static QueueOptions.Builder enabled() {
		return QueueOptions.builder().with(GroupedQueues.ENABLED, true);
	}

	private static GroupedQueues queues(QueueOptions.Builder options) {
		QueueOptions built = options.build();
		return new GroupedQueues((queue) -> built);
	}

	/**
	 * The envelope of a task with its group, if it has one and the envelope is an object
	 * with fields. An id is of several groups, one after the other.
	 * @param id the task
	 * @param envelope its envelope
	 * @param groups how many groups there are, one of them without a name
	 * @return the envelope to store
	 */
	public static byte[] mark(String id, byte[] envelope, int groups) {
		int group = Math.floorMod(id.hashCode() + envelope.length / 3, groups);
		int end = envelope.length - 1;
		boolean object = end > 1 && envelope[end] == '}' && envelope[end - 1] > ' ';
		return (object && group > 0) ? Group.group("g" + group).mark(envelope) : envelope;
	}

	public static String groupOf(StoredTask task) {
		Group group = Group.of(task.envelope());
		return (group != null) ? group.group() : "";
	}

}
