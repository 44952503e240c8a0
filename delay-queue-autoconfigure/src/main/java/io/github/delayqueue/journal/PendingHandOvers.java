package io.github.delayqueue.journal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.journal.HandOver.Fresh;
import io.github.delayqueue.store.TaskStore;

/**
 * Tasks that are committed and on their way to the store, so that those who schedule need
 * not wait for it: what comes while a batch is under way goes out together with the next.
 * Keeps the order. Bounded: when too many are on their way, callers wait. Thread-safe.
 */
final class PendingHandOvers {

	/** With more on their way callers wait. */
	private static final int MAX_WAITING = 5000;

	private final BiConsumer<String, List<Fresh>> sender;

	private final Map<String, List<Fresh>> waiting = new LinkedHashMap<>();

	private @Nullable Executor executor;

	private boolean sending;

	/** How many have ever come, and gone. */
	private long added;

	private long sent;

	/**
	 * Nothing is on its way, and nothing is taken.
	 * @param sender gives tasks of a queue to the store; does not throw
	 */
	PendingHandOvers(BiConsumer<String, List<Fresh>> sender) {
		this.sender = sender;
	}

	/**
	 * From now on take tasks.
	 * @param executor has a thread for one step, always
	 */
	synchronized void start(Executor executor) {
		this.executor = executor;
	}

	/**
	 * From now on take no more tasks; what is on its way is still sent.
	 */
	synchronized void stop() {
		this.executor = null;
	}

	/**
	 * Take tasks to be sent.
	 * @param queue their queue
	 * @param tasks the tasks
	 * @return {@code false} if none are taken: the caller has to send them
	 */
	synchronized boolean add(String queue, List<Fresh> tasks) {
		while (this.executor != null && this.added - this.sent >= MAX_WAITING) {
			if (!pause()) {
				return false;
			}
		}
		Executor executor = this.executor;
		return executor != null && add(executor, queue, tasks);
	}

	private boolean add(Executor executor, String queue, List<Fresh> tasks) {
		if (!this.sending) {
			try {
				executor.execute(this::send);
			}
			catch (RejectedExecutionException ex) {
				// it is being stopped
				return false;
			}
			this.sending = true;
		}
		this.waiting.computeIfAbsent(queue, (name) -> new ArrayList<>()).addAll(tasks);
		this.added += tasks.size();
		return true;
	}

	/**
	 * Wait until all that was taken so far has been sent, or could not be. Returns early
	 * if the thread is interrupted.
	 */
	synchronized void await() {
		long until = this.added;
		while (this.sent < until && pause()) {
			// somebody has been sent
			continue;
		}
	}

	/**
	 * Whether none is left that is not being sent already.
	 * @return whether there is none
	 */
	synchronized boolean isEmpty() {
		return this.waiting.isEmpty();
	}

	private boolean pause() {
		try {
			wait();
			return true;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	private void send() {
		boolean done = false;
		try {
			for (Batch batch = next(); batch != null; batch = next()) {
				this.sender.accept(batch.queue, batch.tasks);
				sent(batch.tasks.size());
			}
			done = true;
		}
		finally {
			if (!done) {
				abandon();
			}
		}
	}

	/**
	 * Send nothing of what is on its way, and let nobody wait for it: a loader does it.
	 */
	synchronized void abandon() {
		this.waiting.clear();
		this.sending = false;
		this.sent = this.added;
		notifyAll();
	}

	private synchronized @Nullable Batch next() {
		if (this.waiting.isEmpty()) {
			this.sending = false;
			return null;
		}
		Map.Entry<String, List<Fresh>> first = this.waiting.entrySet().iterator().next();
		List<Fresh> tasks = this.waiting.remove(first.getKey());
		if (tasks.size() > TaskStore.MAX_BATCH) {
			// behind the other queues
			this.waiting.put(first.getKey(), new ArrayList<>(tasks.subList(TaskStore.MAX_BATCH, tasks.size())));
			tasks = tasks.subList(0, TaskStore.MAX_BATCH);
		}
		return new Batch(first.getKey(), tasks);
	}

	private synchronized void sent(int count) {
		this.sent = Math.min(this.sent + count, this.added);
		notifyAll();
	}

	private record Batch(String queue, List<Fresh> tasks) {

	}

}
