package io.github.delayqueue.store.memory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimedRecord;

/**
 * Takes tasks into flight: expired leases first, then what is due.
 */
record Claim(TaskTable table, Counters counters) {

	List<ClaimedRecord> take(ClaimRequest request, StoreTime now) {
		List<ClaimedRecord> taken = new ArrayList<>();
		long deadline = now.millisAfter(request.ttr());
		long bytes = 0;
		for (Entry candidate : candidates(request, now)) {
			if (!taken.isEmpty() && bytes >= request.maxBytes()) {
				break;
			}
			boolean leaseExpired = candidate.state() == TaskState.IN_FLIGHT;
			if (leaseExpired) {
				this.counters.expired++;
			}
			Entry claimed = candidate.claimed(request.token(), deadline);
			this.table.put(claimed);
			taken.add(claimed.toClaimedRecord(leaseExpired));
			bytes += claimed.envelope().length;
		}
		return taken;
	}

	private List<Entry> candidates(ClaimRequest request, StoreTime now) {
		int share = Math.min(Math.max(request.limit() / 2, 1), request.expiredLimit());
		List<Entry> candidates = new ArrayList<>(this.table.reached(TaskState.IN_FLIGHT, now.millis(), share).toList());
		int rest = request.limit() - candidates.size();
		Stream<Entry> due = this.table.reached(TaskState.SCHEDULED, now.millis(), rest);
		if (request.oldestFirst()) {
			// stable: of those due in the same millisecond, by priority
			due = due.sorted(Comparator.comparingLong(Entry::score));
		}
		due.limit(rest).forEach(candidates::add);
		return candidates;
	}

}
