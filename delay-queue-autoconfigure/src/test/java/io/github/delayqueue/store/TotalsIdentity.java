package io.github.delayqueue.store;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.QueueStats.Totals;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every task that was ever scheduled is somewhere, or has come to one of the known ends.
 */
final class TotalsIdentity {

	private TotalsIdentity() {
	}

	static void check(QueueStats stats) {
		Totals totals = stats.totals();
		assertThat(totals.scheduled()).as("tasks ever scheduled, by %s", stats)
			.isEqualTo(stats.scheduled() + stats.inFlight() + stats.dead() + totals.completed() + totals.cancelled()
					+ totals.replaced() + totals.cleared() + totals.purged());
	}

}
