package io.github.delayqueue.listener;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * Decides on which thread calls of one kind are made. They come on threads that other
 * partitions need as well: one of these is always kept free, and further calls wait for
 * further threads. There are few of them as long as calls are answered; where none is
 * answered any more there are more, because some of the calls that wait may be for a
 * server that does answer. A call that will probably fail waits apart from all others.
 */
final class CallThreads {

	/** As many as calls need that are answered. */
	private static final int USUAL_THREADS = 4;

	/** For the first calls of many partitions whose server has just fallen silent. */
	static final int MAX_THREADS = 100;

	private static final int KEEP_ALIVE_SECONDS = 10;

	private static final long STUCK_MILLIS = 50;

	private final IntSupplier ownThreads;

	private final Executor suspects;

	private final ScheduledExecutorService timers;

	private final ThreadPoolExecutor further;

	/** Calls under way on the threads they came on. */
	private final AtomicInteger underWay = new AtomicInteger();

	private final AtomicBoolean watching = new AtomicBoolean();

	/**
	 * Create threads, none of which is started yet.
	 * @param name the prefix of the names of further threads
	 * @param ownThreads on how many threads calls come
	 * @param suspects makes calls that will probably fail
	 * @param timers looks whether calls are stuck
	 */
	CallThreads(String name, IntSupplier ownThreads, Executor suspects, ScheduledExecutorService timers) {
		this.ownThreads = ownThreads;
		this.suspects = suspects;
		this.timers = timers;
		this.further = new ThreadPoolExecutor(USUAL_THREADS, MAX_THREADS, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), ContainerThreads.daemons(name));
		this.further.allowCoreThreadTimeOut(true);
	}

	/**
	 * Make a call: on this thread, unless it is the last that does not wait for an
	 * answer, or the call will probably fail.
	 * @param call the call; throws nothing
	 * @param suspect whether the last call of its partition failed
	 */
	void make(Runnable call, boolean suspect) {
		if (suspect && handOver(call, this.suspects)) {
			return;
		}
		boolean last = this.underWay.incrementAndGet() >= this.ownThreads.getAsInt();
		try {
			if (!last || !handOver(call, this.further)) {
				call.run();
			}
			else if (isWaiting() && this.watching.compareAndSet(false, true)) {
				watch();
			}
		}
		finally {
			this.underWay.decrementAndGet();
		}
	}

	private static boolean handOver(Runnable call, Executor threads) {
		try {
			threads.execute(call);
			return true;
		}
		catch (RejectedExecutionException | OutOfMemoryError ex) {
			return false;
		}
	}

	private boolean isWaiting() {
		return !this.further.getQueue().isEmpty();
	}

	private void watch() {
		long ended = this.further.getCompletedTaskCount();
		try {
			this.timers.schedule(() -> look(ended), STUCK_MILLIS, TimeUnit.MILLISECONDS);
		}
		catch (RejectedExecutionException | OutOfMemoryError ex) {
			// the application ends, or the next call looks
			this.watching.set(false);
		}
	}

	private void look(long ended) {
		try {
			if (!isWaiting()) {
				this.further.setCorePoolSize(USUAL_THREADS);
			}
			else if (this.further.getCompletedTaskCount() == ended) {
				this.further.setCorePoolSize(MAX_THREADS);
			}
		}
		catch (OutOfMemoryError ex) {
			// those there are go on
		}
		if (isWaiting()) {
			watch();
		}
		else {
			this.watching.set(false);
		}
	}

	void shutdown() {
		this.further.shutdownNow();
	}

}
