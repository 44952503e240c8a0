package io.github.delayqueue.bulk;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.producer.EncodedTask;
import io.github.delayqueue.producer.NotReplicatedException;
import io.github.delayqueue.producer.ScheduleResult;
import io.github.delayqueue.producer.StoreErrors;
import io.github.delayqueue.producer.TaskSender;
import io.github.delayqueue.store.Sources;
import io.github.delayqueue.store.TaskStore;

/**
 * Sends tasks on threads of its own. While a call of a queue is under way, its further
 * tasks are collected: no delay at low load, large batches at high load. The buffer is
 * bounded; what does not fit is refused. Futures are completed after the next call has
 * been handed over, so that actions which hang on them delay nobody else. Thread-safe.
 */
final class AsyncSender {

	private static final int THREADS = 4;

	private final TaskSender sender;

	private final int maxTasks;

	private final long maxBytes;

	private final ThreadPoolExecutor executor;

	/** The sources for which a call is under way. */
	private final Map<String, Deque<WaitingTask>> lanes = new HashMap<>();

	private final Object lock = new Object();

	/** Tasks to be sent or under way. */
	private int tasks;

	private long bytes;

	/** Tasks whose futures are not completed. */
	private int unfinished;

	private boolean closed;

	AsyncSender(TaskSender sender, int maxTasks, long maxBytes) {
		this.sender = sender;
		this.maxTasks = maxTasks;
		this.maxBytes = maxBytes;
		CustomizableThreadFactory threadFactory = new CustomizableThreadFactory("delay-queue-producer-");
		threadFactory.setDaemon(true);
		this.executor = new ThreadPoolExecutor(THREADS, THREADS, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
				threadFactory);
		this.executor.allowCoreThreadTimeOut(true);
	}

	CompletableFuture<ScheduleResult> send(EncodedTask task) {
		WaitingTask waiting = new WaitingTask(task, new CompletableFuture<>());
		String name = BulkSchedule.lane(this.sender, task);
		synchronized (this.lock) {
			String refusal = refusal(task);
			if (refusal != null) {
				return CompletableFuture.failedFuture(new DelayQueueException(task.queue(), task.id(),
						"Task '" + task.id() + "' for queue '" + task.queue() + "' is not scheduled: " + refusal));
			}
			this.tasks++;
			this.unfinished++;
			this.bytes += task.bytes();
			boolean idle = !this.lanes.containsKey(name);
			this.lanes.computeIfAbsent(name, (key) -> new ArrayDeque<>()).add(waiting);
			if (idle) {
				start(name);
			}
		}
		return waiting.future();
	}

	private @Nullable String refusal(EncodedTask task) {
		if (this.closed) {
			return "the template is closed";
		}
		boolean full = this.tasks >= this.maxTasks || (this.tasks > 0 && this.bytes + task.bytes() > this.maxBytes);
		return full ? this.tasks + " tasks (" + this.bytes + " bytes) that were scheduled without waiting are still"
				+ " to be sent; wait for their futures, or use scheduleAll" : null;
	}

	private void sendNext(String name) {
		List<WaitingTask> sent;
		synchronized (this.lock) {
			sent = BulkSchedule.take(this.lanes.get(name), TaskStore.MAX_BATCH, WaitingTask::task);
		}
		if (sent.isEmpty()) {
			// closed before its turn came
			return;
		}
		List<ScheduleResult> results = List.of();
		Throwable error = null;
		try {
			results = this.sender.send(Sources.queue(name),
					sent.stream().map((waiting) -> waiting.task().task()).toList());
		}
		catch (Throwable ex) {
			error = ex;
		}
		release(name, sent);
		complete(sent, results, error);
	}

	private void complete(List<WaitingTask> sent, List<ScheduleResult> results, @Nullable Throwable error) {
		for (int i = 0; i < sent.size(); i++) {
			if (error == null) {
				sent.get(i).future().complete(results.get(i));
			}
			else {
				sent.get(i).fail((error instanceof NotReplicatedException ex) ? ex.ofTask(i) : error);
			}
		}
		synchronized (this.lock) {
			this.unfinished -= sent.size();
			this.lock.notifyAll();
		}
	}

	private void release(String name, List<WaitingTask> sent) {
		synchronized (this.lock) {
			forget(sent);
			if (this.lanes.get(name).isEmpty()) {
				this.lanes.remove(name);
			}
			else {
				start(name);
			}
		}
	}

	/** Holding the lock. Where no thread can be started, what waits fails. */
	private void start(String name) {
		try {
			this.executor.execute(() -> sendNext(name));
		}
		catch (RuntimeException | Error ex) {
			List<WaitingTask> lane = List.copyOf(this.lanes.remove(name));
			forget(lane);
			complete(lane, List.of(), new DelayQueueException(Sources.queue(name), null,
					"Not scheduled: no thread could be started", ex));
		}
	}

	/** Holding the lock. */
	private void forget(List<WaitingTask> sent) {
		this.tasks -= sent.size();
		sent.forEach((waiting) -> this.bytes -= waiting.task().bytes());
	}

	/** Wait until all is sent and its futures completed, or the time is over. */
	void flush(Duration timeout) {
		long end = System.nanoTime() + timeout.toNanos();
		synchronized (this.lock) {
			try {
				for (long left = timeout.toNanos(); this.unfinished > 0 && left > 0; left = end - System.nanoTime()) {
					TimeUnit.NANOSECONDS.timedWait(this.lock, left);
				}
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/** Send what was taken over; what could not be sent in time fails. */
	void close(Duration timeout) {
		synchronized (this.lock) {
			this.closed = true;
		}
		flush(timeout);
		List<WaitingTask> abandoned = new ArrayList<>();
		synchronized (this.lock) {
			this.lanes.values().forEach(abandoned::addAll);
			this.lanes.values().forEach(Deque::clear);
			this.executor.shutdown();
		}
		complete(abandoned, List.of(),
				new DelayQueueException(null, null,
						"Not scheduled: the template was closed, and the store did not take it within "
								+ Names.printable(timeout)));
	}

	/** A task that has been taken over, with what is completed once its fate is known. */
	private record WaitingTask(EncodedTask task, CompletableFuture<ScheduleResult> future) {

		void fail(Throwable error) {
			this.future.completeExceptionally((error instanceof RuntimeException ex)
					? StoreErrors.ofTask(ex, this.task.queue(), this.task.id()) : error);
		}

	}

}
