package io.github.delayqueue.console;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.config.DelayQueueSettings;
import io.github.delayqueue.groups.Group;
import io.github.delayqueue.groups.GroupFigures;
import io.github.delayqueue.groups.RedisGroups;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.store.TaskStore;

/** Shows the groups of a queue, pauses them and cancels their tasks. */
record QueueGroups(TaskStore store, DelayQueueOperations operations, LongSupplier nanoTime) {

	private static final int DEFAULT_SHOWN = 100;

	/** After that time an answer ends with the groups that it has. */
	private static final long MAX_NANOS = Duration.ofMillis(200).toNanos();

	private static final int DEFAULT_LIMIT = 1000;

	private static final int MAX_LIMIT = 10_000;

	private static final Comparator<GroupFigures> NOISY_FIRST = Comparator.comparingLong(GroupFigures::due)
		.thenComparingLong(GroupFigures::waiting)
		.reversed();

	GroupsDescriptor groups(String queue, RequestArguments arguments) {
		arguments.allowOnly("'groups'", Set.of("limit", "cursor"));
		int most = arguments.number("limit", DEFAULT_SHOWN, 1, TaskStore.MAX_BATCH);
		long next = arguments.number("cursor", 0, 0, Integer.MAX_VALUE);
		RedisGroups groups = of(queue);
		if (groups == null) {
			return new GroupsDescriptor(0, List.of(), null);
		}
		List<GroupFigures> counted = new ArrayList<>();
		long start = this.nanoTime.getAsLong();
		GroupFigures.Page page;
		do {
			page = groups.figures(queue, next);
			counted.addAll(page.groups());
			next = page.next();
		}
		while (next > 0 && this.nanoTime.getAsLong() - start < MAX_NANOS);
		return new GroupsDescriptor(page.total(), counted.stream().sorted(NOISY_FIRST).limit(most).toList(),
				(next > 0) ? String.valueOf(next) : null);
	}

	ActionDescriptor setPaused(String queue, QueueAction action, RequestArguments arguments) {
		require(queue).setPaused(queue, group(arguments), action == QueueAction.PAUSE);
		return new ActionDescriptor(action.toString(), null, null, null, null, null);
	}

	/** What waits in Redis; what is claimed meanwhile is cancelled all the same. */
	ActionDescriptor cancel(String queue, RequestArguments arguments) {
		arguments.allowOnly("'cancel' of a group", Set.of("group", "limit"));
		RedisGroups groups = require(queue);
		Group group = group(arguments);
		int left = arguments.number("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
		long cancelled = 0;
		GroupFigures.Waiting waiting = groups.waiting(queue, group, Math.min(left, TaskStore.MAX_BATCH));
		while (left > 0 && !waiting.ids().isEmpty()) {
			cancelled += this.operations.cancelAll(queue, waiting.ids()).size();
			left -= waiting.ids().size();
			waiting = groups.waiting(queue, group, Math.min(Math.max(left, 1), TaskStore.MAX_BATCH));
		}
		return new ActionDescriptor(QueueAction.CANCEL.toString(), cancelled, waiting.total(), null, null, null);
	}

	private static Group group(RequestArguments arguments) {
		try {
			return Group.group(arguments.requireText("group"));
		}
		catch (IllegalArgumentException ex) {
			throw arguments.invalid(String.valueOf(ex.getMessage()));
		}
	}

	private RedisGroups require(String queue) {
		RedisGroups groups = of(queue);
		if (groups == null) {
			throw QueueRequestException.conflict(queue, "Queue '" + queue + "' has no groups: set "
					+ DelayQueueSettings.prefixOf(queue) + "groups.enabled");
		}
		return groups;
	}

	private @Nullable RedisGroups of(String queue) {
		RedisGroups groups = this.store.role(RedisGroups.class);
		return (groups != null && groups.has(queue)) ? groups : null;
	}

}
