package io.github.delayqueue.store.memory;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.groups.GroupedHistories;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.StoredTask;

/**
 * Takes the tasks that another store took, if it was allowed to: groups within their
 * limits, and each in its turn.
 */
final class FollowedTurns implements DueOrder {

	private @Nullable ClaimResult answer;

	/** How many claims have got nothing of a group that could have been served. */
	private final Map<String, Integer> waited = new HashMap<>();

	void hear(Object answer) {
		this.answer = (answer instanceof ClaimResult claim) ? claim : null;
	}

	@Override
	public List<StoredTask> choose(List<StoredTask> due, List<StoredTask> inFlight, int limit) {
		if (this.answer == null || limit < 1) {
			return List.of();
		}
		Map<String, StoredTask> byId = new LinkedHashMap<>();
		due.forEach((task) -> byId.put(task.id(), task));
		List<StoredTask> chosen = this.answer.tasks()
			.stream()
			.map(ClaimedRecord::id)
			.filter(byId::containsKey)
			.map(byId::get)
			.toList();
		Map<String, Integer> held = new HashMap<>();
		inFlight.forEach((task) -> held.merge(GroupedHistories.groupOf(task), 1, Integer::sum));
		Set<String> open = new HashSet<>();
		due.stream().map(GroupedHistories::groupOf).filter((name) -> hasPlace(name, held)).forEach(open::add);
		chosen.forEach((task) -> held.merge(GroupedHistories.groupOf(task), 1, Integer::sum));
		held.forEach((name, count) -> require(name.isEmpty() || count <= GroupedHistories.LIMIT,
				count + " of " + name + " are in flight"));
		if (this.answer.tasks().stream().noneMatch(ClaimedRecord::leaseLost)) {
			require(!chosen.isEmpty() || open.isEmpty(), "nothing was taken of " + open);
			this.waited.keySet().retainAll(open);
			open.forEach((name) -> this.waited.merge(name, 1, Integer::sum));
			chosen.forEach((task) -> this.waited.remove(GroupedHistories.groupOf(task)));
			this.waited.forEach((name, claims) -> require(claims <= GroupedHistories.GROUPS + 2,
					claims + " claims got nothing of " + name));
		}
		return chosen;
	}

	private static boolean hasPlace(String name, Map<String, Integer> held) {
		return name.isEmpty() || held.getOrDefault(name, 0) < GroupedHistories.LIMIT;
	}

	private static void require(boolean allowed, String what) {
		if (!allowed) {
			throw new IllegalStateException(what);
		}
	}

}
