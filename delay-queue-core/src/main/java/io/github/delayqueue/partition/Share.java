package io.github.delayqueue.partition;

import io.github.delayqueue.roles.Retention;
import io.github.delayqueue.store.ClaimTerms;

/**
 * The share that one of several partitions has in what is allowed to all of them.
 *
 * @param number the number of the partition, from zero
 * @param partitions how many there are
 */
record Share(int number, int partitions) {

	ClaimTerms of(ClaimTerms terms) {
		return (this.partitions == 1 || terms.parts().isEmpty()) ? terms
				: terms.with(terms.parts().stream().map((part) -> part.share(this.number, this.partitions)).toList());
	}

	/** At least one dead letter of those to keep. */
	Retention of(Retention retention) {
		Long dead = retention.deadMaxSize();
		return (dead == null || this.partitions == 1) ? retention
				: new Retention(retention.completed(), retention.dead(), Math.max(1, dead / this.partitions));
	}

}
