package io.github.delayqueue.journal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.journal.HandOver.Fresh;
import io.github.delayqueue.store.TaskStore;

/**
 * Tasks that are committed and on their way to the store, so that those who schedule need
 * not wait for it. What comes while a batch is under way goes out together with the next,
 * and unless somebody is in a hurry, a batch waits for a moment for others to come.
 * <p>
 * Keeps the order of each queue. Bounded: when too many are on their way, callers wait.
 * Thread-safe.
 */
final class PendingHandOvers {

	/** With more on their way callers wait. */
	private static final int MAX_WAITING = 5000;

	private final BiConsumer<String, List<Fresh>> sender;

	private final long lingerNanos;

	private final Map<String, Pending> queues = new HashMap<>();

	/** Those that have something to be sent, in the order in which they are served. */
	private final Set<String> turns = new LinkedHashSet<>();

	private @Nullable Executor executor;

	private boolean sending;

	/** How many of all queues are to be sent, or being sent. */
	private int unsent;

	/** Whether the sender is not to wait for more. */
	private boolean hurry;

	/**
	 * Nothing is on its way, and nothing is taken.
	 * @param sender gives tasks of a queue to the store; does not throw
	 * @param linger so long a batch waits at most for others that nobody is in a hurry
	 * for
	 */
	PendingHandOvers(BiConsumer<String, List<Fresh>> sender, Duration linger) {
		this.sender = sender;
		this.lingerNanos = linger.toNanos();
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
		hurry();
	}

	/**
	 * Take tasks to be sent.
	 * @param queue their queue
	 * @param tasks the tasks
	 * @param urgent whether to send them at once
	 * @return {@code false} if none are taken: the caller has to send them
	 */
	synchronized boolean add(String queue, List<Fresh> tasks, boolean urgent) {
		while (this.executor != null && this.unsent >= MAX_WAITING) {
			if (!pause()) {
				return false;
			}
		}
		Executor executor = this.executor;
		if (executor == null || !startSending(executor)) {
			return false;
		}
		Pending pending = this.queues.computeIfAbsent(queue, (name) -> new Pending());
		pending.waiting.addAll(tasks);
		pending.added += tasks.size();
		this.turns.add(queue);
		this.unsent += tasks.size();
		if (urgent || pending.waiting.size() >= TaskStore.MAX_BATCH) {
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

	private void hurry() {
		if (!this.hurry) {
			this.hurry = true;
			notifyAll();
		}
	}

	/**
	 * Wait until all of a queue that was taken so far has been sent, or could not be.
	 * Returns early if the thread is interrupted.
	 * @param queue the queue
	 */
	synchronized void await(String queue) {
		Pending pending = this.queues.get(queue);
		if (pending == null) {
			return;
		}
		long until = pending.added;
		while (pending.sent < until) {
			if (!pending.waiting.isEmpty()) {
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
		return this.turns.isEmpty();
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
		this.turns.clear();
		this.queues.values().forEach(Pending::abandon);
		this.unsent = 0;
		this.sending = false;
		notifyAll();
	}

	private synchronized @Nullable Batch next() {
		if (!this.turns.isEmpty()) {
			linger();
		}
		if (this.turns.isEmpty()) {
			this.sending = false;
			this.hurry = false;
			return null;
		}
		String queue = this.turns.iterator().next();
		this.turns.remove(queue);
		Pending pending = this.queues.get(queue);
		List<Fresh> tasks = pending.waiting;
		if (tasks.size() > TaskStore.MAX_BATCH) {
			// behind the other queues
			pending.waiting = new ArrayList<>(tasks.subList(TaskStore.MAX_BATCH, tasks.size()));
			this.turns.add(queue);
			tasks = tasks.subList(0, TaskStore.MAX_BATCH);
		}
		else {
			pending.waiting = new ArrayList<>();
		}
		// until all has gone that somebody was in a hurry for
		this.hurry &= !this.turns.isEmpty();
		return new Batch(queue, tasks, pending.abandoned);
	}

	/** Give others a moment to come, unless somebody is in a hurry. */
	private void linger() {
		long until = System.nanoTime() + this.lingerNanos;
		long left = this.lingerNanos;
		try {
			while (!this.hurry && this.executor != null && left > 0) {
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
		Pending pending = this.queues.get(batch.queue);
		if (pending.abandoned == batch.abandoned) {
			pending.sent += batch.tasks.size();
			this.unsent -= batch.tasks.size();
			notifyAll();
		}
	}

	/** The tasks of a queue. */
	private static final class Pending {

		private List<Fresh> waiting = new ArrayList<>();

		/** How many have ever come, and gone. */
		private long added;

		private long sent;

		/** How often all was abandoned: what was being sent then is counted already. */
		private int abandoned;

		void abandon() {
			this.waiting = new ArrayList<>();
			this.sent = this.added;
			this.abandoned++;
		}

	}

	private record Batch(String queue, List<Fresh> tasks, int abandoned) {

	}

}
