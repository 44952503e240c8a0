package io.github.delayqueue.journal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.journal.HandOver.Fresh;
import io.github.delayqueue.store.TaskStore;

/**
 * Tasks of one queue that are committed and on their way to the store, so that those who
 * schedule need not wait for it. What comes while a batch is under way goes out together
 * with the next, and unless somebody is in a hurry, a batch waits for a moment for others
 * to come.
 * <p>
 * Keeps the order. Bounded: when too many are on their way, callers wait. Thread-safe.
 */
final class PendingHandOvers {

	/** With more on their way callers wait. */
	private static final int MAX_WAITING = 5000;

	private final Supplier<@Nullable Executor> executor;

	private final Consumer<List<Fresh>> sender;

	private final long lingerNanos;

	private List<Fresh> waiting = new ArrayList<>();

	/** How many have ever come, and gone. */
	private long added;

	private long sent;

	/** How often all was abandoned: what was being sent then is counted already. */
	private int abandoned;

	private boolean sending;

	/** Whether the sender is not to wait for more. */
	private boolean hurry;

	/**
	 * Nothing is on its way.
	 * @param executor has a thread for one step at once, always; no tasks are taken while
	 * there is none
	 * @param sender gives tasks to the store; does not throw
	 * @param linger so long a batch waits at most for others that nobody is in a hurry
	 * for
	 */
	PendingHandOvers(Supplier<@Nullable Executor> executor, Consumer<List<Fresh>> sender, Duration linger) {
		this.executor = executor;
		this.sender = sender;
		this.lingerNanos = linger.toNanos();
	}

	/**
	 * Take tasks to be sent.
	 * @param tasks the tasks
	 * @param urgent whether to send them at once
	 * @return {@code false} if none are taken: the caller has to send them
	 */
	synchronized boolean add(List<Fresh> tasks, boolean urgent) {
		Executor executor = this.executor.get();
		while (executor != null && this.added - this.sent >= MAX_WAITING) {
			if (!pause()) {
				return false;
			}
			executor = this.executor.get();
		}
		if (executor == null || !startSending(executor)) {
			return false;
		}
		this.waiting.addAll(tasks);
		this.added += tasks.size();
		if (urgent || this.waiting.size() >= TaskStore.MAX_BATCH) {
			hurry();
		}
		return true;
	}

	private boolean startSending(Executor executor) {
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
		return true;
	}

	/**
	 * Do not let a batch wait for others.
	 */
	synchronized void hurry() {
		if (!this.hurry) {
			this.hurry = true;
			notifyAll();
		}
	}

	/**
	 * Wait until all that was taken so far has been sent, or could not be. Returns early
	 * if the thread is interrupted.
	 */
	synchronized void await() {
		long until = this.added;
		while (this.sent < until) {
			if (!this.waiting.isEmpty()) {
				hurry();
			}
			if (!pause()) {
				return;
			}
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
				this.sender.accept(batch.tasks);
				sent(batch);
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
		this.waiting = new ArrayList<>();
		this.sent = this.added;
		this.abandoned++;
		this.sending = false;
		notifyAll();
	}

	private synchronized @Nullable Batch next() {
		if (!this.waiting.isEmpty()) {
			linger();
		}
		if (this.waiting.isEmpty()) {
			this.sending = false;
			this.hurry = false;
			return null;
		}
		List<Fresh> tasks = this.waiting;
		this.waiting = new ArrayList<>();
		if (tasks.size() > TaskStore.MAX_BATCH) {
			this.waiting.addAll(tasks.subList(TaskStore.MAX_BATCH, tasks.size()));
			tasks = tasks.subList(0, TaskStore.MAX_BATCH);
		}
		// until all has gone that somebody was in a hurry for
		this.hurry &= !this.waiting.isEmpty();
		return new Batch(tasks, this.abandoned);
	}

	/** Give others a moment to come, unless somebody is in a hurry. */
	private void linger() {
		long until = System.nanoTime() + this.lingerNanos;
		long left = this.lingerNanos;
		try {
			while (!this.hurry && this.executor.get() != null && left > 0) {
				// rounded up, because zero is for ever
				wait(TimeUnit.NANOSECONDS.toMillis(left) + 1);
				left = until - System.nanoTime();
			}
		}
		catch (InterruptedException ex) {
			// the executor is being shut down: send what there is
			Thread.currentThread().interrupt();
		}
	}

	private synchronized void sent(Batch batch) {
		if (this.abandoned == batch.abandoned) {
			this.sent += batch.tasks.size();
			notifyAll();
		}
	}

	private record Batch(List<Fresh> tasks, int abandoned) {
	}

}
