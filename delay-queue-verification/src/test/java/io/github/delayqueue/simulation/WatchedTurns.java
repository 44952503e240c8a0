package io.github.delayqueue.simulation;

import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.groups.Fairness;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.memory.DueOrder;

/**
 * Groups of a queue, which take their turns as everywhere, and a judge of that.
 *
 * @param complaints hears what is not fair
 */
record WatchedTurns(DueOrder turns, Fairness fairness, Consumer<String> complaints) implements DueOrder {

	@Override
	public List<StoredTask> choose(List<StoredTask> due, List<StoredTask> failed, List<StoredTask> inFlight, int limit,
			Instant now) {
		List<StoredTask> chosen = this.turns.choose(due, failed, inFlight, limit, now);
		String complaint = this.fairness.judge(due, failed, inFlight, chosen, limit > 0, now);
		if (complaint != null) {
			this.complaints.accept(complaint);
		}
		return chosen;
	}

	@Override
	public void taken(List<StoredTask> tasks, Instant now) {
		this.turns.taken(tasks, now);
		this.fairness.taken(tasks);
	}

	@Override
	public @Nullable Instant next() {
		return this.turns.next();
	}

}
