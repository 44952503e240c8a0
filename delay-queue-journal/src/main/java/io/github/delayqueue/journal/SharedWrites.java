package io.github.delayqueue.journal;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

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
	 * @param arrival the task, whose id nobody else has
	 * @throws RuntimeException if it is not written, as the writer says
	 */
	void write(String queue, Arrival arrival) {
		Lane lane = this.lanes.computeIfAbsent(queue, (name) -> new Lane());
		if (lane.enter(arrival)) {
			lead(queue, lane, arrival);
		}
		else {
			// not to be interrupted, as the statement would not be either
			arrival.turn.join().accept(arrival);
		}
	}

	/** How many will be written with the next ones. */
	int waiting(String queue) {
		Lane lane = this.lanes.get(queue);
		return (lane != null) ? lane.waiting() : 0;
	}

	private void lead(String queue, Lane lane, Arrival leader) {
		List<Arrival> all = lane.take(leader);
		Consumer<Arrival> alone = (arrival) -> this.writer.accept(queue, List.of(arrival));
		Consumer<Arrival> turn = alone;
		try {
			this.writer.accept(queue, all);
			turn = (arrival) -> {
			};
		}
		catch (StoreUnavailableException ex) {
			// it is not for others if it is this thread that is not to wait
			turn = Thread.currentThread().isInterrupted() ? alone : (arrival) -> {
				throw new StoreUnavailableException(queue, null, ex.getMessage(), ex);
			};
			throw ex;
		}
		catch (RuntimeException ex) {
			if (all.size() == 1) {
				throw ex;
			}
			logger.debug("{} tasks of queue '{}' could not be written together", all.size(), queue, ex);
		}
		finally {
			lane.leave((next) -> lead(queue, lane, next));
			for (Arrival arrival : all) {
				arrival.turn.complete(turn);
			}
		}
		turn.accept(leader);
	}

	/** A new task, and since when its caller waits. */
	static final class Arrival {

		private final NewTask task;

		private final Instant since;

		/** What the thread that has come with it is to do. */
		private final CompletableFuture<Consumer<Arrival>> turn = new CompletableFuture<>();

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

	}

	/** The tasks of a queue, in the order in which they have come. */
	private static final class Lane {

		private final Deque<Arrival> waiting = new ArrayDeque<>();

		private boolean busy;

		/** Whether nobody else is there. */
		synchronized boolean enter(Arrival arrival) {
			if (this.busy) {
				this.waiting.add(arrival);
				return false;
			}
			this.busy = true;
			return true;
		}

		synchronized int waiting() {
			return this.waiting.size();
		}

		/** With those that have come meanwhile, as many as fit into a statement. */
		synchronized List<Arrival> take(Arrival leader) {
			List<Arrival> taken = new ArrayList<>(List.of(leader));
			long bytes = leader.task.envelope().length;
			while (!this.waiting.isEmpty() && taken.size() < TaskStore.MAX_BATCH) {
				bytes += this.waiting.element().task.envelope().length;
				if (bytes > MAX_BYTES) {
					break;
				}
				taken.add(this.waiting.remove());
			}
			return taken;
		}

		/** Let the next one lead, if there is one. */
		synchronized void leave(Consumer<Arrival> lead) {
			Arrival next = this.waiting.poll();
			this.busy = next != null;
			if (next != null) {
				next.turn.complete(lead);
			}
		}

	}

}
