package io.github.delayqueue.threads;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import io.github.delayqueue.listener.ContainerThreads;

/**
 * Decides on which thread calls of one kind are made. They come on threads that other
 * sources need as well: one of these is always kept free, and further calls wait for
 * further threads. There are few of them as long as calls are answered; where none is
 * answered any more there are more, because some of the calls that wait may be for a
 * server that does answer. A call that will probably fail waits apart from all others.
 */
final class CallThreads implements ContainerThreads.Calls {

	/** As many as calls need that are answered. */
	static final int USUAL_THREADS = 4;

	/** For the first calls of many sources whose server has just fallen silent. */
	static final int MAX_THREADS = 100;

	static final int KEEP_ALIVE_SECONDS = 10;

	private static final Duration STUCK = Duration.ofMillis(50);

	/** Has the timers, on whose threads calls come. */
	private final ThreadPoolTaskScheduler own;

	private final Executor suspects;

	/** Looks whether calls are stuck. */
	private final TaskScheduler watch;

	private final ThreadPoolExecutor further;

	private final AtomicBoolean watching = new AtomicBoolean();

	CallThreads(String name, ThreadPoolTaskScheduler own, Executor suspects, TaskScheduler watch) {
		this.own = own;
		this.suspects = suspects;
		this.watch = watch;
		this.further = queueingPool(USUAL_THREADS, name);
	}

	static ThreadPoolExecutor queueingPool(int threads, String namePrefix) {
		ThreadPoolExecutor pool = new ThreadPoolExecutor(threads, threads, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), daemons(namePrefix));
		pool.allowCoreThreadTimeOut(true);
		return pool;
	}

	static ThreadFactory daemons(String namePrefix) {
		CustomizableThreadFactory threadFactory = new CustomizableThreadFactory(namePrefix);
		threadFactory.setDaemon(true);
		return threadFactory;
	}

	@Override
	public Future<?> schedule(Runnable step, Duration delay) {
		return (delay.isZero() || delay.isNegative()) ? this.own.submit(step) : schedule(this.own, step, delay);
	}

	private static Future<?> schedule(TaskScheduler scheduler, Runnable step, Duration delay) {
		return scheduler.schedule(step, scheduler.getClock().instant().plus(delay));
	}

	/**
	 * If this thread is the last that does not wait for an answer, or the call will
	 * probably fail.
	 */
	@Override
	public boolean handOver(Runnable call, boolean suspect) {
		if (suspect && handOver(call, this.suspects)) {
			return true;
		}
		boolean last = this.own.getActiveCount() >= this.own.getScheduledThreadPoolExecutor().getCorePoolSize();
		boolean handedOver = last && handOver(call, this.further);
		if (handedOver) {
			watchIfWaiting();
		}
		return handedOver;
	}

	static boolean handOver(Runnable call, Executor threads) {
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

	private void watchIfWaiting() {
		if (isWaiting() && this.watching.compareAndSet(false, true)) {
			try {
				watch();
			}
			catch (RejectedExecutionException | OutOfMemoryError ex) {
				// the call is handed over all the same
				this.watching.set(false);
			}
		}
	}

	private void watch() {
		long ended = this.further.getCompletedTaskCount();
		schedule(this.watch, () -> look(ended), STUCK);
	}

	private void look(long ended) {
		try {
			if (!isWaiting()) {
				// all that are more end with their call: while they take turns, none
				// would be idle for long
				this.further.setCorePoolSize(USUAL_THREADS);
				this.further.setMaximumPoolSize(USUAL_THREADS);
			}
			else if (this.further.getCompletedTaskCount() == ended) {
				this.further.setMaximumPoolSize(MAX_THREADS);
				this.further.setCorePoolSize(MAX_THREADS);
			}
		}
		catch (OutOfMemoryError ex) {
			// those there are go on
		}
		if (isWaiting() || this.further.getCorePoolSize() > USUAL_THREADS) {
			watch();
		}
		else {
			this.watching.set(false);
			// a call that came in between saw that somebody was watching
			watchIfWaiting();
		}
	}

	void shutdown() {
		this.own.shutdown();
		this.further.shutdownNow();
	}

}
