package io.github.delayqueue.faults;

import java.util.List;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskDetails;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.TaskStore;

/**
 * Writes down what is there in the end.
 *
 * @param store what is looked at
 * @param operations the same, for what applications see of it
 * @param log where to
 */
public record FinalState(TaskStore store, DelayQueueOperations operations, HistoryLog log) {

	private static final int PAGE = 500;

	/** Whether nothing waits and nobody holds anything. */
	public boolean isDrained() {
		return SuiteSettings.QUEUES.stream().map(QueueView.of(this.store)::stats).allMatch(FinalState::isDrained);
	}

	static boolean isDrained(QueueStats stats) {
		return stats.waiting() == 0 && stats.inFlight() == 0;
	}

	/** Write down what is dead, and forget it. */
	public void purgeDead() {
		for (String queue : SuiteSettings.QUEUES) {
			List<TaskDetails> dead = this.operations.list(queue, TaskState.DEAD, 0, PAGE);
			while (!dead.isEmpty()) {
				for (TaskDetails task : dead) {
					TaskFailure failure = task.lastFailure();
					Work work = task.payload(Work.class);
					this.log.write("dead", queue, task.id(), (work != null) ? work.send() : null,
							(failure != null) ? failure.reason() : null);
				}
				this.operations.delete(queue, TaskState.DEAD, dead.size());
				dead = this.operations.list(queue, TaskState.DEAD, 0, PAGE);
			}
		}
	}

	/** Write down the totals. */
	public void write() {
		for (String queue : SuiteSettings.QUEUES) {
			QueueStats.Totals totals = QueueView.of(this.store).stats(queue).totals();
			this.log.write("totals", queue, totals.scheduled(), totals.completed(), totals.cancelled(),
					totals.replaced(), totals.deleted(), totals.leasesLost(), totals.stale(), totals.retried());
		}
		for (String queue : List.of(SuiteSettings.CLOCKS, SuiteSettings.OWN_CLOCK)) {
			QueueStats clocks = QueueView.of(this.store).stats(queue);
			QueueStats.Totals runs = clocks.totals();
			if (runs.scheduled() != runs.completed() + runs.cancelled() + clocks.dead()) {
				this.log.write("violation", "totals", "The runs of recurring tasks do not add up: " + runs);
			}
		}
	}

}
