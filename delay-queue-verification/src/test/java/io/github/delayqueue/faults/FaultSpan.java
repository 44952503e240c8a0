package io.github.delayqueue.faults;

import io.github.delayqueue.faults.Fault.Inflicted;

/**
 * When a fault was inflicted, and on whom.
 *
 * @param kind which
 * @param target the process, the slot, or everybody
 * @param from when, by the machine's clock
 * @param to when it was undone
 */
record FaultSpan(FaultKind kind, String target, long from, long to) {

	boolean hitsEverybody() {
		return this.target.equals(Inflicted.EVERYBODY);
	}

	boolean hits(String process) {
		return hitsEverybody() || (process.startsWith(this.target)
				&& (process.length() == this.target.length() || process.charAt(this.target.length()) == '-'));
	}

	boolean overlaps(long start, long end, long aftermath) {
		return this.from <= end && start <= this.to + aftermath;
	}

	@Override
	public String toString() {
		return "%d-%s %s %s".formatted(this.from, (this.to != Long.MAX_VALUE) ? this.to : "?", this.kind, this.target);
	}

}
