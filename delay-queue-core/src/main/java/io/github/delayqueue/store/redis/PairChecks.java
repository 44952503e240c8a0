package io.github.delayqueue.store.redis;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.github.delayqueue.Names;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.Settlement;

/**
 * Whether a reply can be one to its call. Only for assertions, which are on in all tests
 * and off in applications: each method returns {@code true}, or an assertion in it fails.
 */
final class PairChecks {

	private PairChecks() {
	}

	static boolean scheduled(List<NewTask> tasks, List<ScheduleOutcome> outcomes) {
		Set<String> ids = new HashSet<>();
		for (int i = 0; i < tasks.size(); i++) {
			NewTask task = tasks.get(i);
			ScheduleOutcome outcome = outcomes.get(i);
			assert ids.add(task.id()) || outcome != ScheduleOutcome.CREATED
					: "Created twice: " + Names.printable(task.id());
			assert outcome != ScheduleOutcome.REJECTED || task.onDuplicate() != Replacement.REPLACE
					: "Rejected although it replaces: " + Names.printable(task.id());
		}
		return true;
	}

	static boolean claimed(ClaimRequest request, ClaimResult result) {
		List<ClaimedRecord> tasks = result.tasks();
		long lost = tasks.stream().filter(ClaimedRecord::leaseLost).count();
		assert tasks.size() <= request.limit() : tasks.size() + " tasks claimed, not " + request.limit();
		assert lost <= Math.min(request.lostLeaseLimit(), Math.max(1, request.limit() / 2))
				: lost + " of " + tasks.size() + " tasks claimed after a lost lease";
		assert !result.paused() || tasks.isEmpty() && result.wakeIn() == null : "Claimed from a paused queue";
		// numbers of Lua have no microseconds in the far future
		Instant latest = result.now().plusMillis(1);
		Set<String> ids = new HashSet<>(result.notes().orphans());
		for (ClaimedRecord task : tasks) {
			assert ids.add(task.id()) : "Claimed twice: " + Names.printable(task.id());
			assert task.leaseLost() ? task.leasesLost() > 0 : !task.dueAt().isAfter(latest)
					: "Claimed at " + result.now() + ": " + Names.printable(task.id()) + ", due at " + task.dueAt();
		}
		return true;
	}

	static boolean settled(List<Settlement> settlements, List<Boolean> applied) {
		Set<String> ids = new HashSet<>();
		for (int i = 0; i < applied.size(); i++) {
			String id = settlements.get(i).taskId();
			assert !applied.get(i) || ids.add(id) : "Settled twice: " + Names.printable(id);
		}
		return true;
	}

}
