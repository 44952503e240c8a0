package io.github.delayqueue.polling;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
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

	private final Map<String, Wakes> queues = new HashMap<>();

	private volatile boolean ended;

	PollWaits(TaskStore store) {
		this.store = store;
	}

	/** Wait again, after {@link #end()}. */
	void start() {
		this.ended = false;
	}

	/** Whoever waits is told that nothing has come. */
	void end() {
		this.lock.lock();
		try {
			this.ended = true;
			this.queues.values().forEach(Wakes::end);
			this.queues.clear();
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * The wakes of a queue, for somebody who is going to claim, to wait if nothing is
	 * due, and to close them.
	 * @throws DelayQueueException if the application stops
	 */
	Wakes of(String queue) {
		this.lock.lock();
		try {
			if (this.ended) {
				throw new DelayQueueException(queue, null,
						"Queue '" + queue + "': nobody can wait for tasks while the application is stopping");
			}
			long now = System.nanoTime();
			this.queues.values().removeIf((each) -> each.endIfUnused(now));
			Wakes wakes = this.queues.computeIfAbsent(queue, Wakes::new);
			wakes.users++;
			return wakes;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** The wake messages of a queue, for all who wait for it, or have done so lately. */
	final class Wakes implements WakeListener, AutoCloseable {

		private final String queue;

		/** By source. */
		private final Map<String, WakeSubscription> subscriptions = new HashMap<>();

		private long messages;

		/** When a claim is worth making, by the messages so far. */
		private long wakeAt;

		private int users;

		private long unusedSince;

		private boolean closed;

		private Wakes(String queue) {
			this.queue = queue;
		}

		/**
		 * Messages count from now on: one that comes during the claim is not lost.
		 * @return how many have come
		 */
		long beforeClaim() {
			PollWaits.this.lock.lock();
			try {
				for (String source : PollWaits.this.store.sources(this.queue)) {
					if (!this.closed) {
						this.subscriptions.computeIfAbsent(source, this::subscribe);
					}
				}
				return this.messages;
			}
			finally {
				PollWaits.this.lock.unlock();
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
			long now = System.nanoTime();
			// what lies further ahead is asked for at the poll interval anyway
			long at = now + ((in.compareTo(FAR) < 0) ? in : FAR).toNanos();
			PollWaits.this.lock.lock();
			try {
				boolean earlier = this.messages > 0 && this.wakeAt - now > 0 && this.wakeAt - at < 0;
				this.wakeAt = earlier ? this.wakeAt : at;
				this.messages++;
				PollWaits.this.changed.signalAll();
			}
			finally {
				PollWaits.this.lock.unlock();
			}
		}

		/**
		 * Wait until another claim is worth making.
		 * @param seen how many messages had come before the last claim
		 * @param until when it is if nobody wakes, by {@link System#nanoTime()}
		 * @param end when it is too late for any
		 * @return whether to claim
		 */
		boolean await(long seen, long until, long end) throws InterruptedException {
			PollWaits.this.lock.lockInterruptibly();
			try {
				while (!this.closed) {
					long now = System.nanoTime();
					long at = (this.messages > seen && this.wakeAt - until < 0) ? this.wakeAt : until;
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
			PollWaits.this.lock.lock();
			try {
				this.users--;
				this.unusedSince = System.nanoTime();
			}
			finally {
				PollWaits.this.lock.unlock();
			}
		}

		private boolean endIfUnused(long now) {
			boolean unused = this.users == 0 && now - this.unusedSince > KEPT_NANOS;
			if (unused) {
				end();
			}
			return unused;
		}

		private void end() {
			this.closed = true;
			this.subscriptions.values().forEach(WakeSubscription::close);
		}

	}

}
