package io.github.delayqueue.journal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import io.github.delayqueue.store.TaskStore;

/**
 * Tasks of one queue that are committed and on their way to the store: an executor sends
 * them together, a moment later, or a caller that has to know that they have arrived.
 * Keeps the order. Thread-safe.
 */
final class PendingHandOvers {

	/** With more on their way callers send them. */
	private static final int MAX_WAITING = 5000;

	private final Consumer<List<FreshTask>> sender;

	/** Held while tasks are being sent. */
	private final Lock sending = new ReentrantLock();

	private List<FreshTask> waiting = new ArrayList<>();

	/** Whether what waits is about to be sent at once. */
	private boolean hurried;

	/** The sender throws nothing, and takes {@link TaskStore#MAX_BATCH} at most. */
	PendingHandOvers(Consumer<List<FreshTask>> sender) {
		this.sender = sender;
	}

	/** By the calling thread if the executor takes none. */
	void add(List<FreshTask> tasks, Duration linger, Executor executor) {
		if (!isLeftTo(executor, tasks, linger)) {
			send();
		}
	}

	private synchronized boolean isLeftTo(Executor executor, List<FreshTask> tasks, Duration linger) {
		boolean first = this.waiting.isEmpty();
		this.waiting.addAll(tasks);
		if (this.waiting.size() > MAX_WAITING) {
			return false;
		}
		try {
			if (linger.isZero() || this.waiting.size() >= TaskStore.MAX_BATCH) {
				if (!this.hurried) {
					executor.execute(this::send);
					this.hurried = true;
				}
			}
			else if (first) {
				CompletableFuture.delayedExecutor(linger.toNanos(), TimeUnit.NANOSECONDS, executor).execute(this::send);
			}
			return true;
		}
		catch (RejectedExecutionException | OutOfMemoryError ex) {
			// it is being stopped, or no thread is left
			return false;
		}
	}

	/** Send all that waits, and wait for what others are sending, unless interrupted. */
	void send() {
		try {
			this.sending.lockInterruptibly();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return;
		}
		try {
			Sql.parts(take(), TaskStore.MAX_BATCH).forEach(this.sender);
		}
		finally {
			this.sending.unlock();
		}
	}

	private synchronized List<FreshTask> take() {
		List<FreshTask> tasks = this.waiting;
		this.waiting = new ArrayList<>();
		this.hurried = false;
		return tasks;
	}

}
