package io.github.delayqueue.listener;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * The threads of all containers of an application. Timers and claims share the scheduler;
 * extensions and settlements have threads of their own, so that they never wait behind a
 * claim; each container's handlers have theirs.
 */
final class ContainerThreads {

	private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private static final int LEASE_THREADS = 2;

	private static final int SETTLEMENT_THREADS = 4;

	private final ThreadPoolTaskScheduler scheduler;

	private final boolean virtualThreads;

	private final ScheduledThreadPoolExecutor leases = pool("delay-queue-lease-", LEASE_THREADS);

	private final ScheduledThreadPoolExecutor settlements = pool("delay-queue-settle-", SETTLEMENT_THREADS);

	ContainerThreads(ThreadPoolTaskScheduler scheduler, boolean virtualThreads) {
		this.scheduler = scheduler;
		this.virtualThreads = virtualThreads;
	}

	private static ScheduledThreadPoolExecutor pool(String namePrefix, int threads) {
		CustomizableThreadFactory threadFactory = new CustomizableThreadFactory(namePrefix);
		threadFactory.setDaemon(true);
		ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(threads, threadFactory);
		return pool;
	}

	/**
	 * Start a thread for extensions and one for settlements. They stay, so that these go
	 * on where no further thread can be started.
	 */
	void prestart() {
		this.leases.prestartCoreThread();
		this.settlements.prestartCoreThread();
	}

	ScheduledExecutorService timers() {
		return this.scheduler.getScheduledThreadPoolExecutor();
	}

	ScheduledExecutorService leases() {
		return this.leases;
	}

	ScheduledExecutorService settlements() {
		return this.settlements;
	}

	HandlerThreads handlers(String containerId, int concurrency) {
		String namePrefix = "delay-queue-" + containerId + "-";
		if (this.virtualThreads) {
			SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor(namePrefix);
			executor.setVirtualThreads(true);
			executor.setTaskTerminationTimeout(1);
			return new HandlerThreads(executor, executor::close);
		}
		ThreadPoolExecutor executor = new ThreadPoolExecutor(concurrency, concurrency, 1, TimeUnit.MINUTES,
				new LinkedBlockingQueue<>(), new CustomizableThreadFactory(namePrefix));
		executor.allowCoreThreadTimeOut(true);
		return new HandlerThreads(executor, executor::shutdownNow);
	}

	/**
	 * The threads of one container's handlers.
	 *
	 * @param executor runs the workers
	 * @param release gives the threads up, interrupting handlers that still run
	 */
	record HandlerThreads(Executor executor, Runnable release) {

	}

	/**
	 * Wait for a condition, without a lock that workers would have to take.
	 * @param condition the condition
	 * @param deadline of the local monotonic clock
	 * @return whether it was met
	 * @throws InterruptedException if interrupted
	 */
	boolean await(BooleanSupplier condition, long deadline) throws InterruptedException {
		while (!condition.getAsBoolean()) {
			if (deadline - System.nanoTime() <= 0) {
				return false;
			}
			LockSupport.parkNanos(POLL_NANOS);
			if (Thread.interrupted()) {
				throw new InterruptedException();
			}
		}
		return true;
	}

	void shutdown() {
		this.leases.shutdownNow();
		this.settlements.shutdownNow();
	}

}
