package io.github.delayqueue.producer;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.WakeListener;
import io.github.delayqueue.store.WakeSubscription;

/**
 * Lets those who poll by hand wait, on their own threads, for wake messages. Subscribes
 * to a queue when somebody waits for it, and stays so for a while: whoever waits in a
 * loop subscribes once. Thread-safe.
 */
final class PollWaits {

	private static final Logger logger = LoggerFactory.getLogger(PollWaits.class);

	private static final Duration FAR = Duration.ofDays(1);

	private static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(1);

	private final TaskStore store;

	/** Not a monitor: virtual threads wait. */
	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Map<String, Subscribed> queues = new HashMap<>();

	private boolean ended;

	PollWaits(TaskStore store) {
		this.store = store;
	}

	/** Wait again, after {@link #end()}. */
	void start() {
		locked(() -> this.ended = false);
	}

	/** Whoever waits is told that nothing has come. */
	void end() {
		locked(() -> {
			this.ended = true;
			this.queues.values().forEach(Subscribed::close);
			this.queues.clear();
			this.changed.signalAll();
		});
	}

	private void locked(Runnable step) {
		this.lock.lock();
		try {
			step.run();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Somebody is going to claim, and to wait if nothing is due.
	 * @throws DelayQueueException if the application stops
	 */
	Waiter begin(String queue) {
		this.lock.lock();
		try {
			if (this.ended) {
				throw new DelayQueueException(queue, null,
						"Queue '" + queue + "': nobody can wait for tasks while the application is stopping");
			}
			long now = System.nanoTime();
			this.queues.values().removeIf((each) -> each.closeIfUnused(now));
			Waiter waiter = new Waiter(this.queues.computeIfAbsent(queue, Subscribed::new));
			waiter.subscribed.waiters.add(waiter);
			return waiter;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** A queue that somebody waits for, or has waited for lately. */
	private final class Subscribed implements WakeListener {

		private final String queue;

		/** By source. */
		private final Map<String, WakeSubscription> subscriptions = new HashMap<>();

		private final Set<Waiter> waiters = new HashSet<>();

		private long unusedSince;

		private boolean closed;

		Subscribed(String queue) {
			this.queue = queue;
		}

		void subscribe() {
			for (String source : PollWaits.this.store.sources(this.queue)) {
				if (!this.closed && !this.subscriptions.containsKey(source)) {
					this.subscriptions.put(source, subscribe(source));
				}
			}
		}

		private WakeSubscription subscribe(String source) {
			try {
				return PollWaits.this.store.subscribe(source, this);
			}
			catch (RuntimeException ex) {
				logger.warn("Polling '{}' gets no wake messages; it asks for tasks at its poll interval: {}", source,
						Names.printable(ex));
				logger.debug("Stack trace of the failed subscription of '{}'", source, ex);
				return () -> {
				};
			}
		}

		@Override
		public void wake(Duration in) {
			// what lies further ahead is asked for at the poll interval anyway
			long at = System.nanoTime() + ((in.compareTo(FAR) < 0) ? in : FAR).toNanos();
			locked(() -> {
				this.waiters.forEach((waiter) -> waiter.wakeAt(at));
				PollWaits.this.changed.signalAll();
			});
		}

		boolean closeIfUnused(long now) {
			boolean unused = this.waiters.isEmpty() && now - this.unusedSince > KEPT_NANOS;
			if (unused) {
				close();
			}
			return unused;
		}

		void close() {
			this.closed = true;
			this.subscriptions.values().forEach(WakeSubscription::close);
			this.subscriptions.clear();
		}

	}

	/** One thread that claims, and waits. */
	final class Waiter implements AutoCloseable {

		private final Subscribed subscribed;

		private long wakeAt;

		private boolean woken;

		private Waiter(Subscribed subscribed) {
			this.subscribed = subscribed;
		}

		/** Wakes count from now on: one that comes during the claim is not lost. */
		void beforeClaim() {
			locked(() -> {
				this.woken = false;
				this.subscribed.subscribe();
			});
		}

		private void wakeAt(long at) {
			this.wakeAt = (this.woken && this.wakeAt - at < 0) ? this.wakeAt : at;
			this.woken = true;
		}

		/**
		 * Wait until another claim is worth making.
		 * @param until when it is if nobody wakes, by {@link System#nanoTime()}
		 * @param end when it is too late for any
		 * @return whether to claim
		 */
		boolean await(long until, long end) throws InterruptedException {
			PollWaits.this.lock.lockInterruptibly();
			try {
				while (!this.subscribed.closed) {
					long now = System.nanoTime();
					long at = (this.woken && this.wakeAt - until < 0) ? this.wakeAt : until;
					if (at - end < 0 && at - now <= 0) {
						return true;
					}
					if (end - now <= 0) {
						return false;
					}
					PollWaits.this.changed.awaitNanos(((at - end < 0) ? at : end) - now);
				}
				return false;
			}
			finally {
				PollWaits.this.lock.unlock();
			}
		}

		@Override
		public void close() {
			locked(() -> {
				this.subscribed.waiters.remove(this);
				this.subscribed.unusedSince = System.nanoTime();
			});
		}

	}

}
