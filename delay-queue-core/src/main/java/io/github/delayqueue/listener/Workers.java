package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.run.TaskRun;
import io.github.delayqueue.store.ClaimPart;

/**
 * The workers of one container, and what has been claimed for them.
 * <p>
 * A container may claim as many tasks as it has free workers for, and some in advance: as
 * many as its handler gets done in about {@value #READ_AHEAD_MILLIS} ms, none if the
 * handler is slower than that. So microsecond handlers do not wait for round trips, and
 * slow work stays in the store for whichever instance has a worker free.
 */
final class Workers {

	private static final Logger logger = LoggerFactory.getLogger(Workers.class);

	static final long READ_AHEAD_MILLIS = 5;

	private static final String THREADS = "delay-queue-";

	private static final long READ_AHEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(READ_AHEAD_MILLIS);

	/** As many full claims may wait for workers at most, however quick the handler is. */
	private static final long MAX_READ_AHEAD_CLAIMS = 6;

	private static final long NEVER_MEASURED = Long.MAX_VALUE;

	private final String threadNamePrefix;

	private final QueueOptions options;

	/** Whether what waits here keeps other instances from working. */
	private final boolean countsInFlight;

	private final Executor executor;

	private final DeliveryRunner runner;

	private final Runnable onFree;

	private final ConcurrentLinkedQueue<HeldTask> buffer = new ConcurrentLinkedQueue<>();

	private final AtomicInteger reserved = new AtomicInteger();

	private final AtomicInteger workers = new AtomicInteger();

	private final AtomicLong finished = new AtomicLong();

	private @Nullable Long lastTickAt;

	/** At the last tick: how many tasks had been finished. */
	private long finishedAtLastTick;

	/** Moving average of what the handler takes for a task. */
	private volatile long handlerNanos = NEVER_MEASURED;

	Workers(String containerId, QueueOptions options, Executor executor, DeliveryRunner runner, Runnable onFree) {
		this.threadNamePrefix = THREADS + containerId + "-";
		this.options = options;
		this.countsInFlight = options.claimParts().stream().anyMatch(ClaimPart::countsInFlight);
		this.executor = executor;
		this.runner = runner;
		this.onFree = onFree;
	}

	/**
	 * How many tasks may be claimed now. With a deep read-ahead none until half of it is
	 * used up, so that claims stay large.
	 * @param underWay how many tasks the claims under way may bring
	 */
	int claimable(int underWay) {
		int readAhead = readAhead();
		int free = this.options.slots() + readAhead - this.reserved.get() - underWay;
		return (free >= Math.max(1, Math.min(readAhead / 2, this.options.prefetch())))
				? Math.min(free, this.options.prefetch()) : 0;
	}

	/** How many tasks can start at once. */
	int idle() {
		return Math.max(0, this.options.slots() - this.reserved.get());
	}

	private boolean isQuick() {
		return this.handlerNanos <= READ_AHEAD_NANOS;
	}

	private int readAhead() {
		if (!this.options.autoRenewLease() || !isQuick() || this.countsInFlight) {
			return 0;
		}
		long done = this.options.concurrency() * READ_AHEAD_NANOS / Math.max(1, this.handlerNanos);
		return (int) Math.min(done, MAX_READ_AHEAD_CLAIMS * this.options.prefetch());
	}

	void accept(List<HeldTask> tasks) {
		this.reserved.addAndGet(tasks.size());
		this.buffer.addAll(tasks);
		// waking a thread takes longer than a quick handler: let the workers that start
		// see whether there is work for another one
		int batches = (tasks.size() + this.options.batchSize() - 1) / this.options.batchSize();
		startWorkers(isQuick() ? Math.min(1, batches) : batches);
	}

	/**
	 * Release what has not been started. It counts as reserved until its end is handed
	 * on: whoever waits until nothing is reserved or unsettled would miss it in between.
	 */
	void release() {
		List<HeldTask> tasks = take(Integer.MAX_VALUE);
		try {
			tasks.forEach((task) -> task.endWith(task.release(null)));
		}
		finally {
			this.reserved.addAndGet(-tasks.size());
		}
	}

	/**
	 * Release what has not been started if nothing has been finished since the last tick,
	 * and claim nothing more in advance until the handler has turned out to be quick
	 * again. Not as often as there are sources: a handler needs time to finish something.
	 * @return whether anything was released
	 */
	synchronized boolean releaseWhatWaits(long now) {
		long least = Leases.tickNanos(this.options.leaseDuration().toNanos(), this.options.handlerTimeout()) * 9 / 10;
		if (this.lastTickAt != null && now - this.lastTickAt < least) {
			return false;
		}
		this.lastTickAt = now;
		long finished = this.finished.get();
		boolean slow = !this.buffer.isEmpty() && finished == this.finishedAtLastTick;
		if (slow) {
			this.handlerNanos = Math.max(this.handlerNanos, READ_AHEAD_NANOS + 1);
			release();
		}
		this.finishedAtLastTick = finished;
		return slow;
	}

	/**
	 * Number of tasks that are claimed and not through the handler; one that runs counts
	 * with its whole batch size.
	 */
	int reserved() {
		return this.reserved.get();
	}

	/** Whether all is through the handler, and its workers have left. */
	boolean isIdle() {
		return this.reserved.get() == 0 && this.workers.get() == 0;
	}

	private List<HeldTask> takeBatch() {
		List<HeldTask> tasks = take(this.options.batchSize());
		if (!tasks.isEmpty()) {
			this.reserved.addAndGet(this.options.batchSize() - tasks.size());
		}
		return tasks;
	}

	private List<HeldTask> take(int most) {
		List<HeldTask> tasks = new ArrayList<>(Math.min(most, this.options.batchSize()));
		while (tasks.size() < most) {
			HeldTask task = this.buffer.poll();
			if (task == null) {
				break;
			}
			tasks.add(task);
		}
		return tasks;
	}

	private void startWorkers(int wanted) {
		for (int i = 0; i < wanted; i++) {
			int most = this.options.concurrency();
			if (this.workers.getAndUpdate((running) -> Math.min(running + 1, most)) >= most) {
				return;
			}
			try {
				this.executor.execute(this::work);
			}
			catch (RejectedExecutionException ex) {
				this.workers.decrementAndGet();
				logger.debug("The application ends: no worker is started any more");
				return;
			}
			catch (RuntimeException | Error ex) {
				this.workers.decrementAndGet();
				logger.error("No thread could be started for a worker; the others handle the claimed tasks", ex);
				return;
			}
		}
	}

	private void work() {
		nameThread();
		boolean goesOn = true;
		for (boolean first = true; goesOn; first = false) {
			List<HeldTask> tasks = takeBatch();
			if (tasks.isEmpty()) {
				break;
			}
			if (first && !this.buffer.isEmpty()) {
				startWorkers(1);
			}
			CompletableFuture<Duration> run = run(tasks);
			if (run.isDone()) {
				finish(tasks.size(), run.join());
			}
			else {
				// the handler goes on elsewhere and keeps this worker's place until it
				// ends
				goesOn = false;
				run.thenAccept((took) -> {
					finish(tasks.size(), took);
					leave();
				});
			}
		}
		if (goesOn) {
			leave();
		}
	}

	/** The thread has worked for another container before, maybe. */
	private void nameThread() {
		Thread thread = Thread.currentThread();
		String name = thread.getName();
		if (name.startsWith(THREADS) && !name.startsWith(this.threadNamePrefix)) {
			thread.setName(this.threadNamePrefix + name.substring(name.lastIndexOf('-') + 1));
		}
	}

	/** Whatever happens, the worker's place must become free again. */
	private CompletableFuture<Duration> run(List<HeldTask> tasks) {
		CompletableFuture<Duration> run;
		try {
			run = this.runner.run(tasks);
		}
		catch (RuntimeException | Error ex) {
			run = CompletableFuture.failedFuture(ex);
		}
		return run.exceptionally((ex) -> {
			logger.error("{} deliveries could not be ended; the tasks are released", tasks.size(), ex);
			tasks.forEach(HeldTask::stopRenewing);
			releaseUnhandled(tasks);
			return Duration.ZERO;
		});
	}

	private static void releaseUnhandled(List<HeldTask> tasks) {
		try {
			tasks.forEach((task) -> task.endWith(task.release(TaskRun.UNSUPPORTED_DELAY)));
		}
		catch (RuntimeException | Error ex) {
			logger.error("They could not be released; they are delivered again when their leases run out", ex);
		}
	}

	private void leave() {
		this.workers.decrementAndGet();
		// what was accepted in between saw that all workers were running
		if (!this.buffer.isEmpty()) {
			startWorkers(1);
		}
	}

	private void finish(int tasks, Duration took) {
		long nanos = took.toNanos();
		if (nanos > 0) {
			long average = this.handlerNanos;
			this.handlerNanos = (average == NEVER_MEASURED) ? nanos : average + (nanos - average) / 8;
		}
		this.finished.addAndGet(tasks);
		this.reserved.addAndGet(-this.options.batchSize());
		this.onFree.run();
	}

}
