package io.github.delayqueue.store;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.QueueStats.Totals;
import io.github.delayqueue.TaskState;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every task that was ever scheduled is somewhere, or has come to one of the known ends.
 */
final class TotalsIdentity {

	private TotalsIdentity() {
	}

	static void check(QueueStats stats) {
		check(stats.totals(), stats.scheduled() + stats.inFlight() + stats.dead(), stats);
	}

	static void check(QueueImage image) {
		check(image.totals(),
				image.tasks().values().stream().filter((task) -> task.state() != TaskState.COMPLETED).count(),
				image.totals());
	}

	private static void check(Totals totals, long unfinished, Object figures) {
		assertThat(totals.scheduled()).as("tasks ever scheduled, by %s", figures)
			.isEqualTo(unfinished + totals.completed() + totals.cancelled() + totals.replaced() + totals.cleared()
					+ totals.purged());
	}

}
