package io.github.delayqueue.partition;

import io.github.delayqueue.store.ClaimTerms;
import io.github.delayqueue.store.FlowLimits;
import io.github.delayqueue.store.RateLimit;
import io.github.delayqueue.store.Retention;

/**
 * The share that one of several partitions has in what is allowed to all of them.
 *
 * @param number the number of the partition, from zero
 * @param partitions how many there are
 */
record Share(int number, int partitions) {

	/**
	 * An equal part of the rate, and of the tasks in flight as many as the others or one
	 * more, so that all parts together are the whole.
	 */
	ClaimTerms of(ClaimTerms terms) {
		return (this.partitions == 1 || terms.limits().equals(FlowLimits.NONE)) ? terms
				: terms.with(of(terms.limits()));
	}

	FlowLimits of(FlowLimits limits) {
		RateLimit rate = limits.rate();
		Integer inFlight = limits.inFlight();
		return new FlowLimits((rate != null) ? of(rate) : null, (inFlight != null)
				? (Integer) ((inFlight + this.partitions - 1 - this.number) / this.partitions) : null);
	}

	/** The same number of tasks in a period that is longer. */
	private RateLimit of(RateLimit rate) {
		return new RateLimit(rate.tasks(), rate.period().multipliedBy(this.partitions));
	}

	/** At least one dead letter of those to keep. */
	Retention of(Retention retention) {
		Long dead = retention.deadMaxSize();
		return (dead == null || this.partitions == 1) ? retention
				: new Retention(retention.completed(), retention.dead(), Math.max(1, dead / this.partitions));
	}

}
