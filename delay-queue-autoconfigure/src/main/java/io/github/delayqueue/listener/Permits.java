package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Shares what the workers of a container can take up among the claim loops of its
 * partitions. A loop that wants more than it gets waits in a queue, and permits that
 * become free go to those that have waited longest: where they are scarce, the loops are
 * served in turn, and none takes all while others are known to have due tasks.
 */
final class Permits {

	private final Workers workers;

	/** Permits are shared in units of it: a batch is claimed from one partition. */
	private final int batchSize;

	/**
	 * So many may be claimed in advance in one go, also where others wait: quick handlers
	 * get them done soon, and claims stay large.
	 */
	private final int large;

	/** Loops that could claim something at once, the longest waiting first. */
	private final Set<ClaimLoop> waiting = new LinkedHashSet<>();

	/** Read without the lock. */
	private volatile boolean anyWaiting;

	/** How many tasks the claims under way may bring. */
	private volatile int claiming;

	Permits(Workers workers, ContainerOptions options) {
		this.workers = workers;
		this.batchSize = options.batchSize();
		this.large = Math.max(1, options.claimLimit() / 2);
	}

	/**
	 * What a loop may claim.
	 *
	 * @param limit how many tasks, zero if the loop has to wait until it is woken
	 * @param startable how many of them can start at once
	 */
	record Grant(int limit, int startable) {

		static final Grant NONE = new Grant(0, 0);

	}

	/**
	 * Ask for permits. What is granted is to be given back by {@link #release}.
	 * @param loop who asks
	 * @return what it may claim
	 */
	synchronized Grant acquire(ClaimLoop loop) {
		// before looking, so that a worker that becomes free in between wakes the loop
		this.waiting.add(loop);
		this.anyWaiting = true;
		int free = this.workers.claimable(this.claiming);
		int mine = free - position(loop) * this.batchSize;
		if (mine <= 0) {
			return Grant.NONE;
		}
		int idle = Math.max(0, this.workers.idle() - this.claiming);
		int share = Math.max(wholeBatches(ceilDiv(free, this.waiting.size())), Math.min(free - idle, this.large));
		int limit = Math.min(mine, share);
		leave(loop);
		this.claiming += limit;
		return new Grant(limit, Math.min(idle, limit));
	}

	/**
	 * Ask for a permit on credit, for a claim that will probably fail: it must not keep
	 * others from claiming for as long as it takes to fail. Not to be given back.
	 * @return what may be claimed: a task, where workers are free
	 */
	Grant credit() {
		int limit = Math.min(1, this.workers.claimable(this.claiming));
		return new Grant(limit, limit);
	}

	/**
	 * A claim has ended, and the workers have what it brought.
	 * @param loop whose claim
	 * @param granted what it was granted
	 * @param more whether it could claim more at once
	 */
	void release(ClaimLoop loop, Grant granted, boolean more) {
		synchronized (this) {
			this.claiming -= granted.limit();
			if (more) {
				this.waiting.add(loop);
				this.anyWaiting = true;
			}
		}
		freed();
	}

	/**
	 * A loop wants nothing any more.
	 * @param loop the loop
	 */
	synchronized void leave(ClaimLoop loop) {
		this.waiting.remove(loop);
		this.anyWaiting = !this.waiting.isEmpty();
	}

	/**
	 * Permits may have become free: wake the loop whose turn it is. It wakes the next.
	 */
	void freed() {
		if (!this.anyWaiting || this.workers.claimable(this.claiming) <= 0) {
			return;
		}
		ClaimLoop next;
		synchronized (this) {
			next = this.waiting.stream().findFirst().orElse(null);
		}
		if (next != null) {
			next.wake(Duration.ZERO);
		}
	}

	private int position(ClaimLoop loop) {
		int position = 0;
		for (ClaimLoop other : this.waiting) {
			if (other == loop) {
				break;
			}
			position++;
		}
		return position;
	}

	private int wholeBatches(int tasks) {
		return ceilDiv(tasks, this.batchSize) * this.batchSize;
	}

	private static int ceilDiv(int dividend, int divisor) {
		return (dividend + divisor - 1) / divisor;
	}

}
