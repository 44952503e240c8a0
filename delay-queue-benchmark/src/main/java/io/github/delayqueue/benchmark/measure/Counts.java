package io.github.delayqueue.benchmark.measure;

/**
 * What went wrong in a run.
 *
 * @param missing tasks that were not handled
 * @param doubled how often a handler was started for a task again
 * @param early how often a handler was started before its task was due
 */
public record Counts(long missing, long doubled, long early) {

	/** Nothing. */
	public static final Counts NONE = new Counts(0, 0, 0);

	public Counts plus(Counts other) {
		return new Counts(this.missing + other.missing, this.doubled + other.doubled, this.early + other.early);
	}

	public boolean clean() {
		return equals(NONE);
	}

	@Override
	public String toString() {
		return this.missing + " missing, " + this.doubled + " doubled, " + this.early + " early";
	}

}
