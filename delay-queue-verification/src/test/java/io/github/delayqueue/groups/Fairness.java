package io.github.delayqueue.groups;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.store.StoredTask;

/**
 * Judges claims by what they took: no group passes its limit, and none waits for longer
 * than the others have their turns.
 */
public final class Fairness {

	private final int limit;

	private final int patience;

	/** How many claims have got nothing of a group that could have been served. */
	private final Map<String, Integer> waited = new HashMap<>();

	/**
	 * Create a judge.
	 * @param limit how many tasks of a group may be in flight
	 * @param patience how many claims in a row may get nothing of a group
	 */
	public Fairness(int limit, int patience) {
		this.limit = limit;
		this.patience = patience;
	}

	/**
	 * Judge a claim.
	 * @param due the tasks that were due
	 * @param inFlight the tasks that were in flight before
	 * @param chosen the tasks that are taken
	 * @param turns whether all its room was for tasks that were due
	 * @return what is wrong, {@code null} if nothing is
	 */
	public @Nullable String judge(List<StoredTask> due, List<StoredTask> inFlight, List<StoredTask> chosen,
			boolean turns) {
		Map<String, Integer> held = new HashMap<>();
		inFlight.forEach((task) -> held.merge(GroupedHistories.groupOf(task), 1, Integer::sum));
		Set<String> open = new HashSet<>();
		due.stream().map(GroupedHistories::groupOf).filter((name) -> hasPlace(name, held)).forEach(open::add);
		chosen.forEach((task) -> held.merge(GroupedHistories.groupOf(task), 1, Integer::sum));
		for (Map.Entry<String, Integer> each : held.entrySet()) {
			if (!each.getKey().isEmpty() && each.getValue() > this.limit) {
				return "limit: " + each.getValue() + " of " + each.getKey() + " are in flight";
			}
		}
		return turns ? judgeTurns(open, chosen) : null;
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
		return name.isEmpty() || held.getOrDefault(name, 0) < this.limit;
	}

}
