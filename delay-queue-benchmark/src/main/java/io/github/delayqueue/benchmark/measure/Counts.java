package io.github.delayqueue.benchmark.measure;

/**
 * What went wrong in a run.
 *
 * @param missing tasks that were not handled
 * @param doubled how often a handler was started for a task again
 * @param early how often a handler was started before its task was due
 * @param unsettled whether tasks were left in the store although all had been handled:
 * one, else zero
 */
public record Counts(long missing, long doubled, long early, long unsettled) {

	/** Nothing. */
	public static final Counts NONE = new Counts(0, 0, 0);

	public Counts(long missing, long doubled, long early) {
		this(missing, doubled, early, 0);
	}

	public Counts plus(Counts other) {
		return new Counts(this.missing + other.missing, this.doubled + other.doubled, this.early + other.early,
				this.unsettled + other.unsettled);
	}

	public boolean clean() {
		return equals(NONE);
	}

	@Override
	public String toString() {
		return this.missing + " missing, " + this.doubled + " doubled, " + this.early + " early"
				+ ((this.unsettled > 0) ? ", " + this.unsettled + " unsettled" : "");
	}

}
