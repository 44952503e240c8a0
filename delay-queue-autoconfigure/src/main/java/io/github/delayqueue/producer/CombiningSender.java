package io.github.delayqueue.producer;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.store.Partitions;

/**
 * Lets tasks of one queue that come at the same time share calls: while a call of a queue
 * is under way, further tasks of that queue are collected, and go out together with its
 * next call. No delay at low load, large batches at high load. A queue with partitions
 * has a call for each of them. Thread-safe.
 * <p>
 * Who wants to wait sends from its own thread if no call of its queue is under way.
 * Everything else is sent by threads of this object, so that an interrupt of one caller
 * does not break a call that others are in.
 * <p>
 * The buffer is bounded in tasks and bytes; what does not fit is refused, or, where
 * somebody waits, sent alone. Futures are completed after the next call of their queue
 * has been handed over to another thread, so that actions which hang on them delay nobody
 * else.
 */
final class CombiningSender {

	private static final int THREADS = 4;

	private final TaskSender sender;

	private final int maxTasks;

	private final long maxBytes;

	private final ThreadPoolExecutor executor;

	/** The queues, by their partitions, for which a call is under way. */
	private final Map<String, Deque<Waiting>> lanes = new HashMap<>();

	private final Object lock = new Object();

	/** Tasks to be sent or under way. */
	private int tasks;

	private long bytes;

	/** Tasks whose futures are not completed. */
	private int unfinished;

	private boolean closed;

	CombiningSender(TaskSender sender) {
		this(sender, 100_000, 64 * 1024 * 1024);
	}

	CombiningSender(TaskSender sender, int maxTasks, long maxBytes) {
		this.sender = sender;
		this.maxTasks = maxTasks;
		this.maxBytes = maxBytes;
		CustomizableThreadFactory threadFactory = new CustomizableThreadFactory("delay-queue-producer-");
		threadFactory.setDaemon(true);
		this.executor = new ThreadPoolExecutor(THREADS, THREADS, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
				threadFactory);
		this.executor.allowCoreThreadTimeOut(true);
	}

	/**
	 * Send a task and wait for its result.
	 * @param task the task
	 * @return what became of it
	 */
	ScheduleResult sendAndWait(EncodedTask task) {
		if (this.sender.waitsForReplicas(task.queue())) {
			// has connections of its own, and may wait long
			return sendAlone(task);
		}
		String name = this.sender.lane(task);
		Waiting waiting = null;
		boolean first = false;
		synchronized (this.lock) {
			if (refusal(task) == null) {
				first = occupy(name);
				waiting = first ? null : enqueue(name, task, true);
			}
		}
		if (waiting != null) {
			return await(name, waiting);
		}
		try {
			return sendAlone(task);
		}
		finally {
			if (first) {
				release(name, List.of());
			}
		}
	}

	private ScheduleResult sendAlone(EncodedTask task) {
		return this.sender.send(task.queue(), List.of(task.task())).get(0);
	}

	private ScheduleResult await(String name, Waiting waiting) {
		EncodedTask task = waiting.task();
		long start = System.nanoTime();
		RuntimeException error;
		try {
			ScheduleResult result = waiting.future().get();
			this.sender.publish(task.queue(), result.isAccepted() ? 1 : 0, start, null);
			return result;
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof Error cause) {
				throw cause;
			}
			error = (RuntimeException) ex.getCause();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			error = new DelayQueueException(task.queue(), task.id(),
					"Task '" + task.id() + "' for queue '" + task.queue() + "': the thread was interrupted, the task "
							+ (withdraw(name, waiting) ? "is not scheduled" : "may or may not have been scheduled"),
					ex);
		}
		this.sender.failed(task.queue(), start, error);
		throw error;
	}

	/** Take a task back that is not under way yet. */
	private boolean withdraw(String name, Waiting waiting) {
		synchronized (this.lock) {
			Deque<Waiting> lane = this.lanes.get(name);
			if (lane == null || !lane.remove(waiting)) {
				return false;
			}
			forget(waiting);
			this.unfinished--;
			this.lock.notifyAll();
			return true;
		}
	}

	/**
	 * Take a task over.
	 * @param task the task
	 * @return completed with what became of it
	 */
	CompletableFuture<ScheduleResult> send(EncodedTask task) {
		String name = this.sender.lane(task);
		synchronized (this.lock) {
			String refusal = refusal(task);
			if (refusal != null) {
				return CompletableFuture.failedFuture(new DelayQueueException(task.queue(), task.id(),
						"Task '" + task.id() + "' for queue '" + task.queue() + "' is not scheduled: " + refusal));
			}
			boolean first = occupy(name);
			Waiting waiting = enqueue(name, task, false);
			if (first) {
				start(name);
			}
			return waiting.future();
		}
	}

	/** Holding the lock. Whether no call was under way: now there is one. */
	private boolean occupy(String name) {
		if (this.lanes.containsKey(name)) {
			return false;
		}
		this.lanes.put(name, new ArrayDeque<>());
		return true;
	}

	/** Holding the lock. */
	private Waiting enqueue(String name, EncodedTask task, boolean awaited) {
		Waiting waiting = new Waiting(task, new CompletableFuture<>(), awaited);
		this.lanes.get(name).add(waiting);
		this.tasks++;
		this.unfinished++;
		this.bytes += task.bytes();
		return waiting;
	}

	/** Holding the lock. */
	private void forget(Waiting waiting) {
		this.tasks--;
		this.bytes -= waiting.task().bytes();
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
		String queue = Partitions.queue(name);
		Batch batch = new Batch();
		List<Waiting> sent = new ArrayList<>();
		synchronized (this.lock) {
			Deque<Waiting> lane = this.lanes.getOrDefault(name, new ArrayDeque<>());
			while (!lane.isEmpty() && batch.add(lane.element().task())) {
				sent.add(lane.remove());
			}
		}
		List<ScheduleResult> results = List.of();
		Throwable error = null;
		long start = System.nanoTime();
		try {
			// nothing, if all were taken back before their turn came
			results = sent.isEmpty() ? List.of() : this.sender.call(queue, batch.tasks());
		}
		catch (NotReplicatedException ex) {
			results = ex.getResults();
			error = ex;
		}
		catch (Throwable ex) {
			error = ex;
		}
		finally {
			release(name, sent);
		}
		publish(queue, sent, results, start, error);
		complete(sent, results, error);
	}

	/** Those who wait tell of theirs themselves. */
	private void publish(String queue, List<Waiting> sent, List<ScheduleResult> results, long start,
			@Nullable Throwable error) {
		int notAwaited = 0;
		int accepted = 0;
		for (int i = 0; i < sent.size(); i++) {
			if (!sent.get(i).awaited()) {
				notAwaited++;
				accepted += (i < results.size() && results.get(i).isAccepted()) ? 1 : 0;
			}
		}
		if (notAwaited > 0) {
			this.sender.publish(queue, accepted, start, error);
		}
	}

	private void complete(List<Waiting> sent, List<ScheduleResult> results, @Nullable Throwable error) {
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

	private void release(String name, List<Waiting> sent) {
		synchronized (this.lock) {
			sent.forEach(this::forget);
			Deque<Waiting> lane = this.lanes.get(name);
			if (lane == null || lane.isEmpty()) {
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
			Deque<Waiting> lane = this.lanes.remove(name);
			for (Waiting waiting : lane) {
				forget(waiting);
				this.unfinished--;
				waiting.fail(new DelayQueueException(waiting.task().queue(), null,
						"Not scheduled: no thread could be started", ex));
			}
			this.lock.notifyAll();
		}
	}

	/**
	 * Wait until everything that has been taken over is sent, and its futures completed.
	 * @param timeout how long at most
	 * @return whether it was
	 */
	boolean flush(Duration timeout) {
		long end = System.nanoTime() + timeout.toNanos();
		synchronized (this.lock) {
			while (this.unfinished > 0) {
				long millis = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()) + 1;
				if (millis <= 0) {
					return false;
				}
				try {
					this.lock.wait(millis);
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
					return false;
				}
			}
		}
		return true;
	}

	/**
	 * Take nothing more over, send what has been, and let what could not be sent in time
	 * fail.
	 * @param timeout how long to wait
	 */
	void close(Duration timeout) {
		synchronized (this.lock) {
			this.closed = true;
		}
		flush(timeout);
		List<Waiting> abandoned = new ArrayList<>();
		synchronized (this.lock) {
			this.lanes.values().forEach(abandoned::addAll);
			this.lanes.values().forEach(Deque::clear);
			this.executor.shutdown();
		}
		abandoned.forEach((waiting) -> waiting.fail(new DelayQueueException(waiting.task().queue(), null,
				"Not scheduled: the template was closed, and the store did not take it within " + timeout)));
	}

	/**
	 * A task that has been taken over.
	 *
	 * @param task the task
	 * @param future completed once its fate is known
	 * @param awaited whether a caller waits for it
	 */
	private record Waiting(EncodedTask task, CompletableFuture<ScheduleResult> future, boolean awaited) {

		void fail(Throwable error) {
			this.future.completeExceptionally((error instanceof RuntimeException ex)
					? StoreErrors.ofTask(ex, this.task.queue(), this.task.id()) : error);
		}

	}

}
