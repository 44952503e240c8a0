package io.github.delayqueue.threads;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import io.github.delayqueue.listener.ContainerThreads;

/**
 * The threads of all containers of an application, and its clocks. Timers and claims run
 * on the scheduler; extensions and settlements, which never wait behind a claim, have
 * threads of their own. So have handlers, and what protects tasks: the look at other
 * instances and the trace of this one wait behind nothing.
 * <p>
 * All that calls the store follows one rule. A call that will probably fail can take as
 * long as a command may, and waits apart. One thread of each kind is kept free of calls
 * for as long as there are others to make them. For wiring.
 */
public final class PooledThreads implements ContainerThreads {

	private static final Logger logger = LoggerFactory.getLogger(PooledThreads.class);

	private static final int LEASE_THREADS = 3;

	private static final int SETTLEMENT_THREADS = 4;

	/** One for the look at other instances, one for the trace of this one. */
	private static final int WATCH_THREADS = 2;

	/** One source that has much to do at once can use them all. */
	private static final int BESIDE_THREADS = 2 * CALLS_BESIDE;

	private static final int SUSPECT_THREADS = 16;

	private final ThreadPoolTaskScheduler leases = daemons("delay-queue-lease-", LEASE_THREADS);

	private final ThreadPoolTaskScheduler settlements = daemons("delay-queue-settle-", SETTLEMENT_THREADS);

	private final ThreadPoolTaskScheduler watch = daemons("delay-queue-watch-", WATCH_THREADS);

	private final ThreadPoolExecutor suspects = CallThreads.queueingPool(SUSPECT_THREADS, "delay-queue-suspect-");

	/** Without a queue: a call for which there is no thread is not taken. */
	private final ThreadPoolExecutor beside = new ThreadPoolExecutor(0, BESIDE_THREADS, CallThreads.KEEP_ALIVE_SECONDS,
			TimeUnit.SECONDS, new SynchronousQueue<>(), CallThreads.daemons("delay-queue-beside-"));

	private final CallThreads claiming;

	private final CallThreads extending = new CallThreads("delay-queue-extend-", this.leases, this.suspects,
			this.leases);

	private final CallThreads settling = new CallThreads("delay-queue-settlement-", this.settlements, this.suspects,
			this.leases);

	private final CallThreads watching = new CallThreads("delay-queue-watching-", this.watch, this.suspects,
			this.leases);

	/** As many as there are handlers running; each container limits its own. */
	private final ThreadPoolExecutor handlers;

	/**
	 * Create the threads; each is started when it is needed first.
	 * @param scheduler for timers and claims: with the number of its threads, not
	 * initialized, and no bean. {@code @Async}, {@code @Scheduled} and others would run
	 * the work of the application on a bean. That would refuse what draining needs once
	 * the context closes
	 * @param virtualThreads whether the scheduler and handlers use virtual threads
	 */
	public PooledThreads(ThreadPoolTaskScheduler scheduler, boolean virtualThreads) {
		// a virtual thread is not kept for another task
		this.handlers = new ThreadPoolExecutor(0, Integer.MAX_VALUE,
				virtualThreads ? 0 : CallThreads.KEEP_ALIVE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(),
				virtualThreads ? virtual("delay-queue-handler-")
						: new CustomizableThreadFactory("delay-queue-handler-"));
		if (virtualThreads) {
			scheduler.setThreadFactory(virtual("delay-queue-"));
			// virtual threads do not keep an application alive that has no others
			this.watch.setDaemon(false);
		}
		this.leases.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
		this.watch.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
		scheduler.setThreadNamePrefix("delay-queue-");
		Stream.of(scheduler, this.leases, this.settlements, this.watch).forEach(PooledThreads::initialize);
		this.claiming = new CallThreads("delay-queue-claim-", scheduler, this.suspects, this.leases);
	}

	private static ThreadFactory virtual(String namePrefix) {
		return new VirtualThreadTaskExecutor(namePrefix).getVirtualThreadFactory();
	}

	private static ThreadPoolTaskScheduler daemons(String namePrefix, int threads) {
		ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
		scheduler.setThreadNamePrefix(namePrefix);
		scheduler.setPoolSize(threads);
		scheduler.setDaemon(true);
		return scheduler;
	}

	/** It ends after all containers, so there is nothing left to wait for. */
	private static void initialize(ThreadPoolTaskScheduler scheduler) {
		scheduler.setRemoveOnCancelPolicy(true);
		scheduler.setErrorHandler((error) -> logger.error("A step of a listener failed unexpectedly", error));
		scheduler.setWaitForTasksToCompleteOnShutdown(false);
		scheduler.setAwaitTerminationMillis(0);
		scheduler.initialize();
	}

	/**
	 * Those for extensions, settlements, and what protects tasks. They stay, so that
	 * these go on where no further thread can be started. The latter keep an application
	 * alive whose other threads are virtual.
	 */
	@Override
	public void prestart() {
		this.leases.getScheduledThreadPoolExecutor().prestartAllCoreThreads();
		this.settlements.getScheduledThreadPoolExecutor().prestartAllCoreThreads();
		this.watch.getScheduledThreadPoolExecutor().prestartAllCoreThreads();
	}

	@Override
	public Calls claims(String containerId, String source) {
		return this.claiming;
	}

	@Override
	public Calls extensions() {
		return this.extending;
	}

	@Override
	public Calls settlements() {
		return this.settling;
	}

	@Override
	public Calls watch() {
		return this.watching;
	}

	@Override
	public boolean beside(Runnable calls) {
		return CallThreads.handOver(calls, this.beside);
	}

	@Override
	public Executor handlers() {
		return this.handlers;
	}

	@Override
	public void shutdown() {
		this.claiming.shutdown();
		this.extending.shutdown();
		this.settling.shutdown();
		this.watching.shutdown();
		this.suspects.shutdownNow();
		this.beside.shutdownNow();
		this.handlers.shutdown();
	}

}
