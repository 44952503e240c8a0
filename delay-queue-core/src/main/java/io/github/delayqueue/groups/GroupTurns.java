package io.github.delayqueue.groups;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.memory.DueOrder;

/** Groups of one queue in memory, as the scripts have them. Public for wiring. */
public final class GroupTurns implements DueOrder {

	/** As in the scripts. */
	private static final int QUANTUM = 4;

	private static final int TURNS = 50;

	private final @Nullable Integer concurrency;

	/** Groups that have tasks due, the next first. */
	private final Set<String> line = new LinkedHashSet<>();

	private GroupTurns(@Nullable Integer concurrency) {
		this.concurrency = concurrency;
	}

	/** Those of a queue, {@code null} if it has no groups. */
	public static @Nullable GroupTurns of(GroupedQueues queues, String queue) {
		return queues.owns(queue) ? new GroupTurns(queues.concurrency(queue)) : null;
	}

	@Override
	public List<StoredTask> choose(List<StoredTask> due, List<StoredTask> inFlight, int limit) {
		Map<String, Deque<StoredTask>> waiting = new HashMap<>();
		due.forEach((task) -> waiting.computeIfAbsent(groupOf(task), (name) -> new ArrayDeque<>()).add(task));
		Map<String, Integer> held = new HashMap<>();
		inFlight.forEach((task) -> held.merge(groupOf(task), 1, Integer::sum));
		lineUp(due, waiting.keySet());
		List<StoredTask> chosen = new ArrayList<>();
		List<String> turns = this.line.stream().filter((name) -> places(name, held) > 0).toList();
		int turn = Math.max(QUANTUM, (limit + TURNS - 1) / TURNS);
		for (int i = 0; i < turns.size() && chosen.size() < limit; i++) {
			String name = turns.get(i);
			int room = limit - chosen.size();
			int share = Math.max(turn, (room + turns.size() - i - 1) / (turns.size() - i));
			for (int n = Math.min(Math.min(share, room), places(name, held)); n > 0
					&& !waiting.get(name).isEmpty(); n--) {
				chosen.add(waiting.get(name).remove());
			}
			this.line.remove(name);
			this.line.add(name);
		}
		return chosen;
	}

	/**
	 * Whoever has tasks due stays or comes last, of several the one with the first task.
	 */
	private void lineUp(List<StoredTask> due, Set<String> names) {
		this.line.retainAll(names);
		due.stream().sorted(Comparator.comparing(StoredTask::at)).map(GroupTurns::groupOf).forEach(this.line::add);
	}

	/** Empty for none: these take one turn together, and have no limit. */
	private static String groupOf(StoredTask task) {
		Group group = (task.envelope() != null) ? Group.of(task.envelope()) : null;
		return (group != null) ? group.group() : "";
	}

	private int places(String name, Map<String, Integer> held) {
		return (this.concurrency != null && !name.isEmpty()) ? this.concurrency - held.getOrDefault(name, 0)
				: Integer.MAX_VALUE;
	}

}
