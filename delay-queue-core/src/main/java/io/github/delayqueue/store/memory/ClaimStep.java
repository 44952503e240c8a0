package io.github.delayqueue.store.memory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimTerms;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.StoredTask;

/** Takes tasks into flight: lost leases first, then what is due. */
final class ClaimStep {

	private final TaskTable table;

	private final Flow flow;

	private final Counters counters;

	private final ClaimRequest request;

	private final ClaimTerms terms;

	private final StepTime now;

	/** How many tasks that may lose no further lease can still be taken. */
	private int chances;

	private boolean leaves;

	ClaimStep(TaskTable table, Flow flow, Counters counters, ClaimRequest request, StepTime now) {
		this.table = table;
		this.flow = flow;
		this.counters = counters;
		this.request = request;
		this.terms = request.terms();
		this.now = now;
		this.chances = request.takesLastChance() ? 1 : 0;
	}

	List<ClaimedRecord> take(int limit) {
		List<ClaimedRecord> taken = new ArrayList<>();
		long deadline = this.now.millisAfter(this.terms.leaseDuration());
		long bytes = 0;
		for (TaskEntry candidate : candidates(limit)) {
			if (!taken.isEmpty() && bytes >= this.terms.maxBytes()) {
				break;
			}
			boolean leaseLost = candidate.state() == TaskState.IN_FLIGHT;
			if (leaseLost) {
				this.counters.leasesLost++;
			}
			TaskEntry claimed = candidate.claimed(this.request.token(), deadline);
			this.table.put(claimed);
			ClaimedRecord record = claimed.toClaimedRecord(leaseLost);
			taken.add(record);
			bytes += record.envelope().length + ((record.failure() != null) ? record.failure().length : 0);
		}
		DueOrder order = this.flow.order();
		if (order != null) {
			order.taken(taken.stream().map((task) -> this.table.find(task.id()).orElseThrow()).toList(),
					this.now.instant());
		}
		return taken;
	}

	/** Whether a task that was met may lose no further lease, and has to stay. */
	boolean leaves() {
		return this.leaves;
	}

	private List<TaskEntry> candidates(int limit) {
		int share = Math.min(Math.max(limit / 2, 1), this.request.lostLeaseLimit());
		List<TaskEntry> candidates = new ArrayList<>(
				reached(TaskState.IN_FLIGHT).filter(this::admits).limit(share).toList());
		int rest = limit - candidates.size();
		DueOrder order = this.flow.order();
		if (order != null) {
			ordered(order, rest).forEach(candidates::add);
			return candidates;
		}
		if (!this.request.oldestFirst()) {
			reached(TaskState.SCHEDULED).filter(this::admits).limit(rest).forEach(candidates::add);
			return candidates;
		}
		int chances = this.chances;
		List<TaskEntry> due = new ArrayList<>();
		for (TaskPriority priority : TaskPriority.values()) {
			this.chances = chances;
			reached(TaskState.SCHEDULED).filter((entry) -> entry.priority() == priority)
				.filter(this::admits)
				.limit(rest)
				.forEach(due::add);
		}
		this.chances = chances;
		// stable: of those due in the same millisecond, by priority
		due.stream()
			.sorted(Comparator.comparingLong(TaskEntry::score))
			.limit(rest)
			.filter(this::admits)
			.forEach(candidates::add);
		return candidates;
	}

	private Stream<TaskEntry> ordered(DueOrder order, int limit) {
		Stream<TaskEntry> due = reached(TaskState.SCHEDULED);
		if (this.request.oldestFirst()) {
			due = due.sorted(Comparator.comparingLong(TaskEntry::score));
		}
		List<StoredTask> all = due.filter(this::admits).map((entry) -> entry.toStoredTask(true)).toList();
		List<StoredTask> failed = this.table.in(TaskState.SCHEDULED)
			.filter((entry) -> entry.score() > this.now.millis() && entry.deliveries().failures() > 0)
			.map((entry) -> entry.toStoredTask(true))
			.toList();
		List<StoredTask> chosen = order.choose(all, failed,
				this.table.in(TaskState.IN_FLIGHT).map((entry) -> entry.toStoredTask(true)).toList(), limit,
				this.now.instant());
		this.flow.setHoldsBack(chosen.size() < Math.min(limit, all.size()));
		return chosen.stream().map((task) -> this.table.get(task.id(), TaskState.SCHEDULED));
	}

	private Stream<TaskEntry> reached(TaskState state) {
		return this.table.reached(state, this.now.millis(), Long.MAX_VALUE);
	}

	private boolean admits(TaskEntry entry) {
		Integer maxLeaseLosses = this.terms.maxLeaseLosses();
		if (maxLeaseLosses == null || !entry.isLastChance(maxLeaseLosses)) {
			return true;
		}
		this.leaves |= this.chances == 0;
		if (this.chances == 0) {
			return false;
		}
		this.chances--;
		return true;
	}

}
