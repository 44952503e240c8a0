package io.github.delayqueue.store.memory;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.groups.Fairness;
import io.github.delayqueue.groups.GroupedHistories;
import io.github.delayqueue.groups.GroupedQueues;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.StoredTask;

/**
 * Takes the tasks that another store took, if it was allowed to: groups within their
 * limits, and each in its turn.
 */
final class FollowedTurns implements DueOrder {

	private @Nullable ClaimResult answer;

	private final Fairness fairness;

	FollowedTurns(GroupedQueues queues, String queue) {
		this.fairness = new Fairness(queues, queue, GroupedHistories.GROUPS + 2);
	}

	void hear(Object answer) {
		this.answer = (answer instanceof ClaimResult claim) ? claim : null;
	}

	@Override
	public List<StoredTask> choose(List<StoredTask> due, List<StoredTask> failed, List<StoredTask> inFlight, int limit,
			Instant now) {
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
		String complaint = this.fairness.judge(due, failed, inFlight, chosen,
				this.answer.tasks().stream().noneMatch(ClaimedRecord::leaseLost), now);
		if (complaint != null) {
			throw new IllegalStateException(complaint);
		}
		return chosen;
	}

	@Override
	public void taken(List<StoredTask> tasks, Instant now) {
		this.fairness.taken(tasks);
	}

}
