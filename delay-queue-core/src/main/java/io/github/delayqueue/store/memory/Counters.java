package io.github.delayqueue.store.memory;

import io.github.delayqueue.QueueStats.Totals;
import io.github.delayqueue.store.History;

/** What has happened in a queue, see {@link Totals} for the meaning of each figure. */
final class Counters {

	long scheduled;

	long completed;

	long retried;

	long deadLettered;

	long cancelled;

	long replaced;

	long cleared;

	long purged;

	long redriven;

	long leasesLost;

	long stale;

	long late;

	long handlingMicros;

	Totals toTotals() {
		return new Totals(this.scheduled, this.completed, this.retried, this.deadLettered, this.cancelled,
				this.replaced, this.cleared, this.purged, this.redriven, this.leasesLost, this.stale);
	}

	History.Totals at(long hour) {
		return new History.Totals(hour, this.completed, this.retried, this.deadLettered, this.late,
				this.handlingMicros);
	}

}
