package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

import io.github.delayqueue.options.QueueOptions;

/**
 * Shares what the workers of a container can take up among the claim loops of its
 * sources. A loop that wants more than it gets waits in a queue, and permits that become
 * free go to those that have waited longest: where they are scarce, the loops are served
 * in turn, and none takes all while others are known to have due tasks.
 * <p>
 * What a claim has been granted counts for as long as claims usually take. One that gets
 * no answer for longer, because nobody is there to give it, must not keep the permits
 * from the others.
 */
final class Permits {

	/** For how long what a claim has been granted counts. */
	static final Duration LOAN = Duration.ofMillis(100);

	private final Workers workers;

	private final LongSupplier nanoTime;

	/** Permits are shared in units of it: a batch is claimed from one source. */
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

	/** Of claims under way, the oldest first. */
	private final Deque<Grant> loans = new ArrayDeque<>();

	/** How many tasks the claims under way may bring. */
	private volatile int claiming;

	Permits(Workers workers, QueueOptions options, LongSupplier nanoTime) {
		this.workers = workers;
		this.nanoTime = nanoTime;
		this.batchSize = options.batchSize();
		this.large = Math.max(1, options.prefetch() / 2);
	}

	/**
	 * What a loop may claim.
	 *
	 * @param limit how many tasks; zero if the loop has to wait until it is woken
	 * @param startable how many of them can start at once
	 * @param since since when it counts
	 */
	record Grant(int limit, int startable, long since) {

		static final Grant NONE = new Grant(0, 0, 0);

	}

	/** Ask for permits. What is granted is to be given back by {@link #release}. */
	synchronized Grant acquire(ClaimLoop loop) {
		// before looking, so that a worker that becomes free in between wakes the loop
		this.waiting.add(loop);
		this.anyWaiting = true;
		endOldLoans();
		int free = this.workers.claimable(this.claiming);
		int mine = free - List.copyOf(this.waiting).indexOf(loop) * this.batchSize;
		if (mine <= 0) {
			return Grant.NONE;
		}
		int idle = Math.max(0, this.workers.idle() - this.claiming);
		int share = Math.max(wholeBatches(ceilDiv(free, this.waiting.size())), Math.min(free - idle, this.large));
		leave(loop);
		return lend(Math.min(mine, share));
	}

	private Grant lend(int limit) {
		int idle = Math.max(0, this.workers.idle() - this.claiming);
		Grant grant = new Grant(limit, Math.min(idle, limit), this.nanoTime.getAsLong());
		this.loans.add(grant);
		this.claiming += limit;
		return grant;
	}

	private void endOldLoans() {
		long now = this.nanoTime.getAsLong();
		while (!this.loans.isEmpty() && now - this.loans.element().since() >= LOAN.toNanos()) {
			this.claiming -= this.loans.remove().limit();
		}
	}

	/**
	 * After what time a loop that has been granted nothing is to ask again, if it is not
	 * woken before.
	 * @param next the same if only workers can give it what it wants
	 * @param waits whether it waits in the queue: nobody wakes it else
	 */
	Duration retryAfter(Duration next, boolean waits) {
		return ((this.claiming > 0 || !waits) && LOAN.compareTo(next) < 0) ? LOAN : next;
	}

	/**
	 * Ask for permits for a claim beside the one that a loop has under way: a large one,
	 * while no other loop is waiting. To be given back by {@link #release}.
	 */
	synchronized Grant acquireSpare(ClaimLoop loop) {
		boolean alone = this.waiting.isEmpty() || this.waiting.equals(Set.of(loop));
		int free = alone ? this.workers.claimable(this.claiming) : 0;
		return (free >= this.large) ? lend(free) : Grant.NONE;
	}

	/**
	 * Ask for a permit on credit, for a claim that will probably fail: it must not keep
	 * others from claiming for as long as it takes to fail. Not to be given back.
	 */
	Grant credit() {
		int limit = Math.min(1, this.workers.claimable(this.claiming));
		return new Grant(limit, limit, 0);
	}

	/**
	 * A claim has ended, and the workers have what it brought.
	 * @param more whether the loop itself could claim more at once
	 */
	void release(ClaimLoop loop, Grant granted, boolean more) {
		synchronized (this) {
			if (this.loans.removeIf((loan) -> loan == granted)) {
				this.claiming -= granted.limit();
			}
			if (more) {
				this.waiting.add(loop);
				this.anyWaiting = true;
			}
		}
		freed();
	}

	/** A loop wants nothing any more. */
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

	private int wholeBatches(int tasks) {
		return ceilDiv(tasks, this.batchSize) * this.batchSize;
	}

	private static int ceilDiv(int dividend, int divisor) {
		return (dividend + divisor - 1) / divisor;
	}

}
