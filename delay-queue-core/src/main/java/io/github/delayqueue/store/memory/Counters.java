package io.github.delayqueue.store.memory;

import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.delayqueue.QueueStats.Totals;
import io.github.delayqueue.roles.History;
import io.github.delayqueue.store.Settlement;

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

	void handled(List<Settlement> settlements, int applied) {
		double all = settlements.size();
		long tooLate = settlements.stream().filter(Settlement::late).count();
		long micros = settlements.stream().map(Settlement::handling).mapToLong(TimeUnit.MICROSECONDS::convert).sum();
		this.late += (long) (tooLate * applied / all);
		this.handlingMicros += (long) ((double) micros * applied / all);
	}

}
