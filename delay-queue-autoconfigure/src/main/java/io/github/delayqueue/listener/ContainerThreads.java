package io.github.delayqueue.listener;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * The threads of all containers of an application. Timers and claims share the scheduler;
 * extensions and settlements, which never wait behind a claim, have threads of their own,
 * and so have handlers. Whatever calls the store follows one rule: a call that will
 * probably fail, which can take as long as a command may, waits apart, and one thread of
 * each kind is kept free of calls for as long as there are others to make them.
 */
class ContainerThreads {

	private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private static final int SCHEDULER_THREADS = 4;

	private static final int LEASE_THREADS = 3;

	private static final int SETTLEMENT_THREADS = 4;

	/**
	 * So many claims, and as many settlements, are made beside those that a partition has
	 * under way anyway. Redis sends the answers when it has carried out all calls that it
	 * found waiting: with fewer of them it has nothing to do while answers are read.
	 */
	static final int CALLS_BESIDE = 2;

	/** One partition that has much to do at once can use them all. */
	private static final int BESIDE_THREADS = 2 * CALLS_BESIDE;

	private static final int SUSPECT_THREADS = 16;

	private static final int KEEP_ALIVE_SECONDS = 10;

	private final ThreadPoolTaskScheduler scheduler = scheduler();

	private final boolean virtualThreads;

	private final ScheduledThreadPoolExecutor leases = pool("delay-queue-lease-", LEASE_THREADS);

	private final ScheduledThreadPoolExecutor settlements = pool("delay-queue-settle-", SETTLEMENT_THREADS);

	private final ThreadPoolExecutor suspects = suspectPool();

	private final ThreadPoolExecutor beside = poolOfAtMost(BESIDE_THREADS, "delay-queue-beside-");

	private final CallThreads claiming = new CallThreads("delay-queue-claim-", () -> timers().getCorePoolSize(),
			this.suspects, this.leases);

	private final CallThreads extending = new CallThreads("delay-queue-extend-", () -> LEASE_THREADS, this.suspects,
			this.leases);

	private final CallThreads settling = new CallThreads("delay-queue-settlement-", () -> SETTLEMENT_THREADS,
			this.suspects, this.leases);

	/** As many as there are handlers running; each container limits its own. */
	private final ThreadPoolExecutor handlers = new ThreadPoolExecutor(0, Integer.MAX_VALUE, KEEP_ALIVE_SECONDS,
			TimeUnit.SECONDS, new SynchronousQueue<>(), new CustomizableThreadFactory("delay-queue-handler-"));

	ContainerThreads(boolean virtualThreads) {
		this.virtualThreads = virtualThreads;
	}

	/**
	 * Not a bean: {@code @Async}, {@code @Scheduled} and others would find it, and run
	 * the work of the application on it where that has no such bean of its own.
	 */
	private static ThreadPoolTaskScheduler scheduler() {
		ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
		scheduler.setPoolSize(SCHEDULER_THREADS);
		scheduler.setThreadNamePrefix("delay-queue-");
		scheduler.setRemoveOnCancelPolicy(true);
		scheduler.initialize();
		return scheduler;
	}

	private static ScheduledThreadPoolExecutor pool(String namePrefix, int threads) {
		return new ScheduledThreadPoolExecutor(threads, daemons(namePrefix));
	}

	/** Without a queue: a call for which there is no thread is not taken. */
	private static ThreadPoolExecutor poolOfAtMost(int threads, String namePrefix) {
		return new ThreadPoolExecutor(0, threads, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(),
				daemons(namePrefix));
	}

	static ThreadFactory daemons(String namePrefix) {
		CustomizableThreadFactory threadFactory = new CustomizableThreadFactory(namePrefix);
		threadFactory.setDaemon(true);
		return threadFactory;
	}

	private static ThreadPoolExecutor suspectPool() {
		ThreadPoolExecutor pool = new ThreadPoolExecutor(SUSPECT_THREADS, SUSPECT_THREADS, KEEP_ALIVE_SECONDS,
				TimeUnit.SECONDS, new LinkedBlockingQueue<>(), daemons("delay-queue-suspect-"));
		pool.allowCoreThreadTimeOut(true);
		return pool;
	}

	/**
	 * Whether containers do nothing by themselves, but claim when they are told to.
	 * @return whether they are driven
	 */
	boolean areDriven() {
		return false;
	}

	/**
	 * Start a thread for extensions and one for settlements. They stay, so that these go
	 * on where no further thread can be started.
	 */
	void prestart() {
		this.leases.prestartCoreThread();
		this.settlements.prestartCoreThread();
	}

	ScheduledThreadPoolExecutor timers() {
		return this.scheduler.getScheduledThreadPoolExecutor();
	}

	/**
	 * Make a claim, called on a thread of the timers.
	 * @param claim the claim; throws nothing
	 * @param suspect whether the last call of its partition failed
	 */
	void claim(Runnable claim, boolean suspect) {
		this.claiming.make(claim, suspect);
	}

	/**
	 * Extend leases, called on a thread of {@link #leases()}.
	 * @param extension the call; throws nothing
	 * @param suspect whether the last call of its partition failed
	 */
	void extend(Runnable extension, boolean suspect) {
		this.extending.make(extension, suspect);
	}

	/**
	 * Settle, called on a thread of {@link #settlements()}.
	 * @param settlement the call; throws nothing
	 * @param suspect whether the last call of its partition failed
	 */
	void settle(Runnable settlement, boolean suspect) {
		this.settling.make(settlement, suspect);
	}

	private static boolean handOver(Runnable call, ThreadPoolExecutor threads) {
		try {
			threads.execute(call);
			return true;
		}
		catch (RejectedExecutionException | OutOfMemoryError ex) {
			return false;
		}
	}

	/**
	 * Make calls that can be done without, beside others: not if no thread is left for
	 * them.
	 * @param calls the calls; throws nothing
	 * @return whether they are made
	 */
	boolean beside(Runnable calls) {
		return handOver(calls, this.beside);
	}

	ScheduledExecutorService leases() {
		return this.leases;
	}

	ScheduledExecutorService settlements() {
		return this.settlements;
	}

	/**
	 * The threads of one container's handlers.
	 * @param containerId the container
	 * @return the threads, virtual ones where the application wants them
	 */
	HandlerThreads handlers(String containerId) {
		String namePrefix = "delay-queue-" + containerId + "-";
		if (!this.virtualThreads) {
			return new HandlerThreads(namePrefix, this.handlers);
		}
		SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor(namePrefix);
		executor.setVirtualThreads(true);
		return new HandlerThreads(namePrefix, executor);
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
		this.scheduler.shutdown();
		this.leases.shutdownNow();
		this.settlements.shutdownNow();
		this.suspects.shutdownNow();
		this.claiming.shutdown();
		this.extending.shutdown();
		this.settling.shutdown();
		this.beside.shutdownNow();
		this.handlers.shutdown();
	}

}
