package io.github.delayqueue.store;

import java.util.List;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.groups.GroupedHistories;

/**
 * The operations of a history in a queue that has groups, and what stores may differ in
 * there: which tasks a claim takes is up to one of them, as is the order of what waits.
 */
final class GroupedOperations {

	private GroupedOperations() {
	}

	/**
	 * The same operation in such a queue. No lease is the last: which task may be taken
	 * then depends on the order.
	 * @param operation the operation
	 * @param groups how many groups there are, one of them without a name
	 * @return the operation to perform
	 */
	static HistoryOperation of(HistoryOperation operation, int groups) {
		if (operation instanceof HistoryOperation.Schedule schedule) {
			// so that each of them has more tasks than a claim takes
			boolean many = groups > GroupedHistories.GROUPS;
			return new HistoryOperation.Schedule(schedule.partitions(),
					schedule.tasks()
						.stream()
						.map((task) -> new NewTask(task.id(), GroupedHistories.mark(task.id(), task.envelope(), groups),
								task.due(), many ? TaskPriority.NORMAL : task.priority(), task.onDuplicate(),
								task.generated(), task.parts()))
						.toList());
		}
		if (operation instanceof HistoryOperation.Claim claim) {
			ClaimRequest its = claim.request();
			ClaimTerms terms = its.terms();
			return new HistoryOperation.Claim(new ClaimRequest(its.token(), its.limit(), its.lostLeaseLimit(),
					its.oldestFirst(), its.takesLastChance(),
					new ClaimTerms(terms.leaseDuration(), terms.maxBytes(), terms.parts(), null, terms.table())));
		}
		return operation;
	}

	/**
	 * What has to be the same of two answers.
	 * @param operation the operation
	 * @param answer an answer
	 * @param expected that of the model
	 * @return what is to be compared
	 */
	static Object comparable(HistoryOperation operation, Object answer, Object expected) {
		if (answer instanceof ClaimResult its && expected instanceof ClaimResult model) {
			// when to look again is earlier or later than the model says: it does not
			// know who is full
			boolean inTime = its.wakeIn() != null || model.wakeIn() == null;
			return new ClaimResult(its.tasks(), its.now(), inTime ? model.wakeIn() : its.wakeIn(), its.paused(),
					its.notes());
		}
		boolean listed = operation instanceof HistoryOperation.Page page && page.state() == TaskState.SCHEDULED
				|| operation instanceof HistoryOperation.Glance glance && glance.state() == TaskState.SCHEDULED;
		return (listed && answer instanceof List<?> list) ? list.size() : answer;
	}

}
