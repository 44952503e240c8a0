package io.github.delayqueue.journal;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.journal.HandOver.Fresh;
import io.github.delayqueue.store.TaskStore;

/**
 * Remembers which rows have been given to the store, to write it down later and together:
 * a task that is finished before costs no write at all. It is written down before a
 * loader would hand the task over once more, see {@link Loading}; what gets lost here is,
 * which is harmless. Thread-safe.
 */
final class Marks {

	private static final Logger logger = LoggerFactory.getLogger(Marks.class);

	/** For so long at most, and a second, it is not written down. */
	static final Duration MAX_AGE = Duration.ofSeconds(30);

	/** So long tasks have in any case to be finished. */
	private static final Duration MIN_AGE = Duration.ofSeconds(2);

	/** So long before a task is due it is written down. */
	static final Duration BEFORE_DUE = Duration.ofSeconds(25);

	/** More than that is not remembered. */
	private static final int MAX_PER_QUEUE = 100_000;

	/** With more of one queue there is no time to lose. */
	private static final int URGENT = 80_000;

	private final JournalTable table;

	private final Transactions transactions;

	private final Reset reset;

	private final Clock clock;

	private final Map<String, Map<String, Mark>> queues = new ConcurrentHashMap<>();

	/** Queues whose tasks may all have got lost in the store. */
	private final Set<String> resets = ConcurrentHashMap.newKeySet();

	Marks(JournalTable table, Transactions transactions, Reset reset, Clock clock) {
		this.table = table;
		this.transactions = transactions;
		this.reset = reset;
		this.clock = clock;
	}

	/**
	 * Remember that tasks have been handed over just now.
	 * @param queue the queue
	 * @param tasks the tasks
	 */
	void add(String queue, List<Fresh> tasks) {
		Map<String, Mark> marks = this.queues.computeIfAbsent(queue, (name) -> new ConcurrentHashMap<>());
		if (marks.size() + tasks.size() <= MAX_PER_QUEUE) {
			long now = this.clock.millis();
			for (Fresh task : tasks) {
				long at = Math.min(task.dueMillis() - BEFORE_DUE.toMillis(), now + MAX_AGE.toMillis());
				marks.put(task.task().id(), new Mark(task.generation(), Math.max(at, now + MIN_AGE.toMillis())));
			}
		}
	}

	/**
	 * Let all tasks of a queue be handed over once more, when what is remembered is next
	 * written down.
	 * @param queue the queue
	 */
	void reset(String queue) {
		this.resets.add(queue);
	}

	/**
	 * Do that at once where it is still to be done: what is scheduled afterwards is none
	 * of these tasks. The calling thread must have no transaction.
	 * @param queue the queue
	 */
	void resetNow(String queue) {
		// before: what is asked for meanwhile is to be done once more
		if (!this.resets.remove(queue)) {
			return;
		}
		boolean done = false;
		try {
			this.reset.all(queue);
			done = true;
		}
		catch (RuntimeException ex) {
			logger.debug("Tasks of queue '{}' could not be marked as to be handed over; it will be tried again", queue,
					ex);
		}
		finally {
			if (!done) {
				this.resets.add(queue);
			}
		}
	}

	/**
	 * Nothing of a queue is to be written down: the store has lost it.
	 * @param queue the queue
	 */
	void forget(String queue) {
		this.queues.remove(queue);
	}

	/**
	 * How many are to be written down.
	 * @param queue the queue
	 * @return the number of its tasks
	 */
	int remembered(String queue) {
		Map<String, Mark> marks = this.queues.get(queue);
		return (marks != null) ? marks.size() : 0;
	}

	/**
	 * These rows are gone.
	 * @param queue the queue
	 * @param keys which
	 */
	void forget(String queue, Collection<Key> keys) {
		Map<String, Mark> marks = this.queues.get(queue);
		if (marks != null && !marks.isEmpty()) {
			keys.forEach((key) -> remove(marks, key));
		}
	}

	/**
	 * Write down what it is time to, or all of a queue if that is more than should be
	 * remembered for long.
	 */
	void flushDue() {
		long now = this.clock.millis();
		flush((marks) -> (marks.size() > URGENT) ? Long.MAX_VALUE : now);
	}

	/**
	 * Write down all that is remembered.
	 */
	void flush() {
		flush((marks) -> Long.MAX_VALUE);
	}

	private void flush(ToLongFunction<Map<String, Mark>> until) {
		Set.copyOf(this.resets).forEach(this::resetNow);
		this.queues.forEach((queue, marks) -> {
			try {
				flush(queue, marks, until.applyAsLong(marks));
			}
			catch (RuntimeException ex) {
				logger.debug("Tasks of queue '{}' could not be marked as handed over; a loader will do it", queue, ex);
			}
		});
	}

	private void flush(String queue, Map<String, Mark> marks, long until) {
		List<Key> keys = new ArrayList<>();
		marks.forEach((id, mark) -> {
			if (mark.at() <= until) {
				keys.add(new Key(id, mark.generation()));
			}
		});
		// by id, as everybody locks
		keys.sort(Key.ORDER);
		for (int from = 0; from < keys.size(); from += TaskStore.MAX_BATCH) {
			List<Key> batch = keys.subList(from, Math.min(from + TaskStore.MAX_BATCH, keys.size()));
			// those that have been finished since cost nothing
			List<Key> left = batch.stream().filter((key) -> remove(marks, key)).toList();
			if (!left.isEmpty()) {
				this.transactions.write(queue, this.table.changesAtOnce(), (later) -> {
					this.table.confirm(queue, left);
					return true;
				});
			}
		}
	}

	private static boolean remove(Map<String, Mark> marks, Key key) {
		Mark mark = marks.get(key.taskId());
		return mark != null && mark.generation() == key.generation() && marks.remove(key.taskId(), mark);
	}

	/**
	 * That a row has been handed over.
	 *
	 * @param generation its generation
	 * @param at when to write it down, in milliseconds since the epoch
	 */
	private record Mark(long generation, long at) {

	}

}
