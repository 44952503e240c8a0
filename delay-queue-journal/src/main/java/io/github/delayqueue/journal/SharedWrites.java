package io.github.delayqueue.journal;

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
import io.github.delayqueue.store.TaskStore;

/**
 * Lets threads that write a new task each share a statement: while one is under way,
 * further tasks of the queue are collected for the next. Where a statement for several
 * tasks is refused, each is written by its own thread, so that nobody else learns of it.
 * Thread-safe.
 */
final class SharedWrites {

	/** A statement with so many bytes takes no further task. */
	private static final long MAX_BYTES = 4 * 1024 * 1024;

	private static final Logger logger = LoggerFactory.getLogger(SharedWrites.class);

	private final BiConsumer<String, List<Arrival>> writer;

	private final Map<String, Lane> lanes = new ConcurrentHashMap<>();

	/** The writer commits all its tasks of a queue or none. */
	SharedWrites(BiConsumer<String, List<Arrival>> writer) {
		this.writer = writer;
	}

	/** Write a task, whose id nobody else has, perhaps together with others. */
	void write(String queue, Arrival arrival) {
		Lane lane = this.lanes.computeIfAbsent(queue, (name) -> new Lane());
		Caller caller = new Caller(arrival, new CompletableFuture<>());
		if (lane.enter(caller)) {
			lead(queue, lane, caller);
		}
		else {
			// not to be interrupted, as the statement would not be either
			caller.turn().join().accept(caller);
		}
	}

	private void lead(String queue, Lane lane, Caller leader) {
		List<Caller> all = lane.first();
		Consumer<Caller> alone = (caller) -> this.writer.accept(queue, List.of(caller.arrival()));
		Consumer<Caller> turn = alone;
		try {
			this.writer.accept(queue, all.stream().map(Caller::arrival).toList());
			turn = (caller) -> {
			};
		}
		catch (StoreUnavailableException ex) {
			// it is not for others if it is this thread that is not to wait
			turn = Thread.currentThread().isInterrupted() ? alone : (caller) -> {
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
			lane.leave(all, (next) -> lead(queue, lane, next));
			for (Caller caller : all) {
				caller.turn().complete(turn);
			}
		}
		turn.accept(leader);
	}

	private record Caller(Arrival arrival, CompletableFuture<Consumer<Caller>> turn) {

	}

	/** The tasks of a queue in the order in which they came: the first one leads. */
	private static final class Lane {

		private final Deque<Caller> callers = new ArrayDeque<>();

		/** Whether nobody else is there. */
		synchronized boolean enter(Caller caller) {
			this.callers.add(caller);
			return this.callers.size() == 1;
		}

		/** The first ones, as many as fit into a statement. */
		synchronized List<Caller> first() {
			List<Caller> first = new ArrayList<>();
			long bytes = 0;
			for (Caller caller : this.callers) {
				bytes += caller.arrival().task().envelope().length;
				if (first.size() == TaskStore.MAX_BATCH || (bytes > MAX_BYTES && !first.isEmpty())) {
					break;
				}
				first.add(caller);
			}
			return first;
		}

		/** Without these first ones, let the next one lead, if there is one. */
		synchronized void leave(List<Caller> first, Consumer<Caller> lead) {
			first.forEach((caller) -> this.callers.remove());
			Caller next = this.callers.peek();
			if (next != null) {
				next.turn().complete(lead);
			}
		}

	}

}
