package io.github.delayqueue.groups;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.limits.RateLimit;
import io.github.delayqueue.store.StoredTask;

/**
 * Judges claims by what they took: no group passes its limit, and none waits for longer
 * than the others have their turns.
 */
public final class Fairness {

	private static final long SAVED_MILLIS = 101;

	private final GroupedQueues queues;

	private final String queue;

	private final int patience;

	/** How many claims have got nothing of a group that could have been served. */
	private final Map<String, Integer> waited = new HashMap<>();

	/** By group, the task that was taken last. */
	private final Map<String, String> last = new HashMap<>();

	/** By group, when tasks were taken that were due. */
	private final Map<String, List<Instant>> taken = new HashMap<>();

	/**
	 * Create a judge.
	 * @param queues what holds for groups
	 * @param queue of this queue
	 * @param patience how many claims in a row may get nothing of a group
	 */
	public Fairness(GroupedQueues queues, String queue, int patience) {
		this.queues = queues;
		this.queue = queue;
		this.patience = patience;
	}

	/**
	 * Judge a claim.
	 * @param due the tasks that were due
	 * @param failed those that have failed and were not due
	 * @param inFlight the tasks that were in flight before
	 * @param chosen the tasks that are taken
	 * @param turns whether all its room was for tasks that were due
	 * @param now its time
	 * @return what is wrong, {@code null} if nothing is
	 */
	public @Nullable String judge(List<StoredTask> due, List<StoredTask> failed, List<StoredTask> inFlight,
			List<StoredTask> chosen, boolean turns, Instant now) {
		Map<String, Integer> held = new HashMap<>();
		inFlight.forEach((task) -> held.merge(GroupedHistories.groupOf(task), 1, Integer::sum));
		Set<String> keptBack = new HashSet<>();
		failed.stream().filter(this::isNext).map(GroupedHistories::groupOf).forEach(keptBack::add);
		Set<String> open = new HashSet<>();
		due.stream().map(GroupedHistories::groupOf).filter((name) -> hasPlace(name, held)).forEach(open::add);
		open.removeAll(keptBack);
		due.stream()
			.filter(this::isNext)
			.filter((task) -> !chosen.contains(task))
			.map(GroupedHistories::groupOf)
			.forEach(keptBack::add);
		chosen.forEach((task) -> held.merge(GroupedHistories.groupOf(task), 1, Integer::sum));
		for (Map.Entry<String, Integer> each : held.entrySet()) {
			if (!each.getKey().isEmpty() && each.getValue() > limit()) {
				return "limit: " + each.getValue() + " of " + each.getKey() + " are in flight";
			}
		}
		for (StoredTask task : chosen) {
			if (keptBack.contains(GroupedHistories.groupOf(task))) {
				return "order: " + task.id() + " was taken before a task that failed";
			}
		}
		RateLimit rate = this.queues.rate(this.queue);
		if (rate != null) {
			return judgeRate(rate, chosen, now);
		}
		return turns ? judgeTurns(open, chosen) : null;
	}

	/**
	 * Hear what was taken in the end.
	 */
	public void taken(List<StoredTask> tasks) {
		if (this.queues.ordered(this.queue)) {
			tasks.stream()
				.filter((task) -> !GroupedHistories.groupOf(task).isEmpty())
				.forEach((task) -> this.last.put(GroupedHistories.groupOf(task), task.id()));
		}
	}

	private boolean isNext(StoredTask task) {
		return task.failures() > 0 && task.id().equals(this.last.get(GroupedHistories.groupOf(task)));
	}

	/** Between any two times so many as come in, those of 100 ms and one more. */
	private @Nullable String judgeRate(RateLimit rate, List<StoredTask> chosen, Instant now) {
		for (StoredTask task : chosen) {
			List<Instant> times = this.taken.computeIfAbsent(GroupedHistories.groupOf(task),
					(name) -> new ArrayList<>());
			times.removeIf((time) -> time.isAfter(now));
			times.add(now);
			for (int i = 0; i < times.size() && !GroupedHistories.groupOf(task).isEmpty(); i++) {
				long millis = Duration.between(times.get(i), now).toMillis() + SAVED_MILLIS;
				if (times.size() - i > millis * rate.tasks() / (double) rate.period().toMillis() + 1) {
					return "rate: " + (times.size() - i) + " of " + GroupedHistories.groupOf(task) + " were taken in "
							+ millis + " ms";
				}
			}
		}
		return null;
	}

	private int limit() {
		Integer limit = this.queues.concurrency(this.queue);
		return (limit != null) ? limit : Integer.MAX_VALUE;
	}

	private @Nullable String judgeTurns(Set<String> open, List<StoredTask> chosen) {
		if (chosen.isEmpty() && !open.isEmpty()) {
			return "turn: nothing was taken of " + open;
		}
		this.waited.keySet().retainAll(open);
		open.forEach((name) -> this.waited.merge(name, 1, Integer::sum));
		chosen.forEach((task) -> this.waited.remove(GroupedHistories.groupOf(task)));
		for (Map.Entry<String, Integer> each : this.waited.entrySet()) {
			if (each.getValue() > this.patience) {
				return "turn: " + each.getValue() + " claims got nothing of " + each.getKey();
			}
		}
		return null;
	}

	private boolean hasPlace(String name, Map<String, Integer> held) {
		return name.isEmpty() || held.getOrDefault(name, 0) < limit();
	}

}
