package io.github.delayqueue.producer;

import io.github.delayqueue.store.TaskStore;

/**
 * How many tasks go into one call. To a store that does nothing else meanwhile, as many
 * as it takes up within a few milliseconds: that is the time for which everybody else has
 * to wait. It begins with fewer, because how long a task takes depends on how many there
 * are already.
 */
final class Pace {

	/** As many as {@link #adaptive()} begins with. */
	static final int FIRST = TaskStore.MAX_BATCH / 4;

	/** With fewer the calls themselves would be what takes long. */
	static final int FEWEST = TaskStore.MAX_BATCH / 16;

	/** With twice as many, tasks in calls of this length would reach {@link #LONG}. */
	private static final long SHORT = 1_500_000;

	private static final long LONG = 3_000_000;

	private final boolean adaptive;

	private int tasks;

	private Pace(boolean adaptive, int tasks) {
		this.adaptive = adaptive;
		this.tasks = tasks;
	}

	/** As many as a call can take. */
	static Pace constant() {
		return new Pace(false, TaskStore.MAX_BATCH);
	}

	/** As many as calls turn out to have time for. */
	static Pace adaptive() {
		return new Pace(true, FIRST);
	}

	/**
	 * How many tasks the next call is to take.
	 * @return the number
	 */
	int tasks() {
		return this.tasks;
	}

	/**
	 * Learn from a call.
	 * @param tasks how many it took
	 * @param nanos how long
	 */
	void took(int tasks, long nanos) {
		if (!this.adaptive) {
			return;
		}
		if (nanos > LONG) {
			this.tasks = Math.max(FEWEST, Math.min(this.tasks, tasks) / 2);
		}
		else if (nanos < SHORT && tasks >= this.tasks) {
			this.tasks = Math.min(TaskStore.MAX_BATCH, this.tasks * 2);
		}
	}

}
