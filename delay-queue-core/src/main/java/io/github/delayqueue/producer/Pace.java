package io.github.delayqueue.producer;

import io.github.delayqueue.store.TaskStore;

/**
 * How many tasks go into one call. To a store that does nothing else meanwhile, as many
 * as it takes up within a few milliseconds: that is the time for which everybody else has
 * to wait. It begins with fewer, because how long a task takes depends on how many there
 * are already, and never sends as many as a call can take: one in which the tables of the
 * store grow takes several times as long as those before it, which nothing tells in
 * advance.
 * <p>
 * How long a call takes however few its tasks are, over a slow network for example, keeps
 * nobody else waiting, and does not count: that is told from two calls of which one had
 * twice as many tasks.
 */
final class Pace {

	/** As many as an adaptive one begins with. */
	static final int FIRST = TaskStore.MAX_BATCH / 4;

	/** As many as an adaptive one sends. */
	static final int MOST = TaskStore.MAX_BATCH * 2 / 3;

	/** With fewer the calls themselves would be what takes long. */
	static final int FEWEST = TaskStore.MAX_BATCH / 16;

	/** With twice as many, tasks in calls of this length would reach {@link #LONG}. */
	private static final long SHORT = 1_500_000;

	private static final long LONG = 3_000_000;

	private final boolean adaptive;

	private int tasks;

	private int lastTasks;

	private long lastNanos;

	/** What calls take however few their tasks are, as far as is known. */
	private long latency;

	/**
	 * Create a pace.
	 * @param adaptive whether to send as many as calls turn out to have time for, instead
	 * of as many as a call can take
	 */
	Pace(boolean adaptive) {
		this.adaptive = adaptive;
		this.tasks = adaptive ? FIRST : TaskStore.MAX_BATCH;
	}

	/** How many tasks the next call is to take. */
	int tasks() {
		return this.tasks;
	}

	/**
	 * How many calls are under way at most. More would only fill buffers; of small ones
	 * it takes more to keep the store busy.
	 */
	int underWay() {
		return this.adaptive ? 3 : 2;
	}

	/** Learn how long a call of so many tasks took. */
	void took(int tasks, long nanos) {
		if (!this.adaptive) {
			return;
		}
		learnLatency(tasks, nanos);
		long own = nanos - this.latency;
		if (own > LONG) {
			this.tasks = Math.max(FEWEST, Math.min(this.tasks, tasks) / 2);
		}
		else if (own < SHORT && tasks >= this.tasks) {
			this.tasks = Math.min(MOST, this.tasks * 2);
		}
	}

	/** By the line through the last two calls, if they had different numbers of tasks. */
	private void learnLatency(int tasks, long nanos) {
		if (this.lastTasks > 0 && tasks != this.lastTasks) {
			long each = (nanos - this.lastNanos) / (tasks - this.lastTasks);
			this.latency = Math.max(0, nanos - Math.max(0, each) * tasks);
		}
		this.latency = Math.min(this.latency, nanos);
		this.lastTasks = tasks;
		this.lastNanos = nanos;
	}

}
