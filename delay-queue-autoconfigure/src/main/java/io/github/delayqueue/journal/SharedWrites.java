package io.github.delayqueue.journal;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.TaskStore;

/**
 * Lets threads that write a new task each share a statement: while one is under way,
 * further tasks of the queue are collected, and go out together with the next. A thread
 * returns when its own task is committed; nobody waits for company. Thread-safe.
 * <p>
 * The statement is executed by one of those that wait for it. Where a statement for
 * several tasks is refused, each is written by its own thread, so that whoever is to
 * blame learns of it and nobody else. Where the database is out of reach, it is for all.
 */
final class SharedWrites {

	/** A statement with so many bytes takes no further task. */
	private static final long MAX_BYTES = 4 * 1024 * 1024;

	private static final Logger logger = LoggerFactory.getLogger(SharedWrites.class);

	private final BiConsumer<String, List<Arrival>> writer;

	private final Map<String, Lane> lanes = new ConcurrentHashMap<>();

	/**
	 * Nothing is written yet.
	 * @param writer writes and commits tasks of a queue, all of them or none
	 */
	SharedWrites(BiConsumer<String, List<Arrival>> writer) {
		this.writer = writer;
	}

	/**
	 * Write a task, perhaps together with others.
	 * @param queue its queue
	 * @param task the task, whose id nobody else has
	 * @throws RuntimeException if it is not written, as the writer says
	 */
	void write(String queue, Arrival task) {
		Lane lane = this.lanes.computeIfAbsent(queue, (name) -> new Lane());
		// not to be interrupted, as the statement would not be either
		switch (lane.enter(task) ? Verdict.LEAD : task.verdict.join()) {
			case LEAD -> lead(queue, lane, task);
			case ALONE -> this.writer.accept(queue, List.of(task));
			case UNAVAILABLE -> throw task.unavailable(queue);
			case WRITTEN -> {
			}
		}
	}

	/**
	 * How many wait for a statement that is under way.
	 * @param queue the queue
	 * @return the number of those that will be written with the next ones
	 */
	int waiting(String queue) {
		Lane lane = this.lanes.get(queue);
		return (lane != null) ? lane.waiting() : 0;
	}

	private void lead(String queue, Lane lane, Arrival leader) {
		List<Arrival> others = lane.others(leader);
		Verdict verdict = Verdict.ALONE;
		try {
			List<Arrival> all = new ArrayList<>(others.size() + 1);
			all.add(leader);
			all.addAll(others);
			this.writer.accept(queue, all);
			verdict = Verdict.WRITTEN;
		}
		catch (StoreUnavailableException ex) {
			// it is not for others if it is this thread that is not to wait
			if (!Thread.currentThread().isInterrupted()) {
				verdict = Verdict.UNAVAILABLE;
				others.forEach((other) -> other.error = ex);
			}
			throw ex;
		}
		catch (RuntimeException ex) {
			if (others.isEmpty()) {
				throw ex;
			}
			logger.debug("{} tasks of queue '{}' could not be written together", others.size() + 1, queue, ex);
		}
		finally {
			lane.leave();
			for (Arrival other : others) {
				other.verdict.complete(verdict);
			}
		}
		if (verdict == Verdict.ALONE) {
			this.writer.accept(queue, List.of(leader));
		}
	}

	private enum Verdict {

		/** Write it, together with those that have come meanwhile. */
		LEAD,

		/** Write it by itself. */
		ALONE,

		WRITTEN,

		/** The database is out of reach. */
		UNAVAILABLE

	}

	/** A new task, and who waits for it. */
	static final class Arrival {

		private final NewTask task;

		private final Instant since;

		private final CompletableFuture<Verdict> verdict = new CompletableFuture<>();

		/** Why the database is out of reach, if it is. */
		private volatile @Nullable StoreUnavailableException error;

		/**
		 * A task comes.
		 * @param task the task
		 * @param since when the caller came with it
		 */
		Arrival(NewTask task, Instant since) {
			this.task = task;
			this.since = since;
		}

		NewTask task() {
			return this.task;
		}

		Instant since() {
			return this.since;
		}

		/** Each thread gets an exception of its own. */
		private StoreUnavailableException unavailable(String queue) {
			StoreUnavailableException error = Objects.requireNonNull(this.error);
			return new StoreUnavailableException(queue, null, error.getMessage(), error);
		}

	}

	/** The tasks of a queue, in the order in which they have come. */
	private static final class Lane {

		private final Deque<Arrival> waiting = new ArrayDeque<>();

		private boolean busy;

		/**
		 * Come in.
		 * @return whether nobody else is there
		 */
		synchronized boolean enter(Arrival task) {
			if (this.busy) {
				this.waiting.add(task);
				return false;
			}
			this.busy = true;
			return true;
		}

		synchronized int waiting() {
			return this.waiting.size();
		}

		/** Those that have come meanwhile, as many as fit into a statement. */
		synchronized List<Arrival> others(Arrival leader) {
			List<Arrival> others = new ArrayList<>(this.waiting.size());
			long bytes = leader.task.envelope().length;
			while (!this.waiting.isEmpty() && others.size() < TaskStore.MAX_BATCH - 1) {
				bytes += this.waiting.element().task.envelope().length;
				if (bytes > MAX_BYTES) {
					break;
				}
				others.add(this.waiting.remove());
			}
			return others;
		}

		/** Let the next one lead, if there is one. */
		synchronized void leave() {
			Arrival next = this.waiting.poll();
			this.busy = next != null;
			if (next != null) {
				next.verdict.complete(Verdict.LEAD);
			}
		}

	}

}
