package io.github.delayqueue.store.memory;

import java.time.Instant;
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

import io.github.delayqueue.groups.Group;
import io.github.delayqueue.groups.GroupedQueues;
import io.github.delayqueue.limits.RateLimit;
import io.github.delayqueue.store.StoredTask;

/** Groups of one queue, as the scripts have them. Public for wiring. */
public final class GroupTurns implements DueOrder {

	/** As in the scripts. */
	private static final int QUANTUM = 4;

	private static final int TURNS = 50;

	private final @Nullable Integer concurrency;

	private final @Nullable GroupPermits permits;

	/** Groups that have tasks due, the next first. */
	private final Set<String> line = new LinkedHashSet<>();

	/** By group the task that was taken last, if groups are ordered. */
	private final @Nullable Map<String, String> last;

	/** Groups of which the last claim left some. */
	private Set<String> left = Set.of();

	/** When one of these has a permit that had none. */
	private @Nullable Instant next;

	private GroupTurns(GroupedQueues queues, String queue) {
		RateLimit rate = queues.rate(queue);
		this.concurrency = queues.concurrency(queue);
		this.permits = (rate != null) ? new GroupPermits(rate) : null;
		this.last = queues.ordered(queue) ? new HashMap<>() : null;
	}

	/** Those of a queue, {@code null} if it has no groups. */
	public static @Nullable GroupTurns of(GroupedQueues queues, String queue) {
		return queues.owns(queue) ? new GroupTurns(queues, queue) : null;
	}

	@Override
	public List<StoredTask> choose(List<StoredTask> due, List<StoredTask> failed, List<StoredTask> inFlight, int limit,
			Instant now) {
		Map<String, Deque<StoredTask>> waiting = new HashMap<>();
		due.forEach((task) -> waiting.computeIfAbsent(groupOf(task), (name) -> new ArrayDeque<>()).add(task));
		Map<String, Integer> held = new HashMap<>();
		inFlight.forEach((task) -> held.merge(groupOf(task), 1, Integer::sum));
		failed.stream().filter(this::isNext).forEach((task) -> held.merge(groupOf(task), 1, Integer::sum));
		due.stream().filter(this::isNext).forEach((task) -> {
			waiting.get(groupOf(task)).remove(task);
			waiting.get(groupOf(task)).addFirst(task);
		});
		lineUp(due, waiting.keySet());
		List<StoredTask> chosen = new ArrayList<>();
		List<String> turns = this.line.stream().filter((name) -> places(name, held, now) > 0).toList();
		int turn = Math.max(QUANTUM, (limit + TURNS - 1) / TURNS);
		for (int i = 0; i < turns.size() && chosen.size() < limit; i++) {
			String name = turns.get(i);
			int room = limit - chosen.size();
			int share = Math.max(turn, (room + turns.size() - i - 1) / (turns.size() - i));
			for (int n = Math.min(Math.min(share, room), places(name, held, now)); n > 0
					&& !waiting.get(name).isEmpty(); n--) {
				chosen.add(waiting.get(name).remove());
			}
			this.line.remove(name);
			this.line.add(name);
		}
		waiting.values().removeIf(Deque::isEmpty);
		this.left = waiting.keySet();
		return chosen;
	}

	/** Whether a task is the next one of its group, whatever else is due. */
	private boolean isNext(StoredTask task) {
		return this.last != null && task.failures() > 0 && task.id().equals(this.last.get(groupOf(task)));
	}

	@Override
	public void taken(List<StoredTask> tasks, Instant now) {
		if (this.last != null) {
			tasks.stream()
				.filter((task) -> !groupOf(task).isEmpty())
				.forEach((task) -> this.last.put(groupOf(task), task.id()));
		}
		GroupPermits permits = this.permits;
		if (permits != null) {
			Map<String, Integer> counts = new HashMap<>();
			tasks.forEach((task) -> counts.merge(groupOf(task), 1, Integer::sum));
			counts.forEach((name, count) -> permits.take(name, count, now));
			this.next = this.left.stream()
				.filter((name) -> !name.isEmpty() && permits.left(name, now) == 0)
				.map((name) -> permits.next(name, counts.containsKey(name), now))
				.min(Comparator.naturalOrder())
				.orElse(null);
		}
	}

	@Override
	public @Nullable Instant next() {
		return this.next;
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

	private int places(String name, Map<String, Integer> held, Instant now) {
		if (name.isEmpty()) {
			return Integer.MAX_VALUE;
		}
		int places = (this.concurrency != null) ? this.concurrency - held.getOrDefault(name, 0) : Integer.MAX_VALUE;
		return (this.permits != null) ? Math.min(places, this.permits.left(name, now)) : places;
	}

}
