package io.github.delayqueue.journal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.store.TaskStore;

/**
 * Remembers which rows have been given to the store, to write it down later and together:
 * a task that is finished before costs no write at all. What gets lost here is handed
 * over once more by a loader, which is harmless. Thread-safe.
 */
final class Marks {

	private static final Logger logger = LoggerFactory.getLogger(Marks.class);

	/** More than that is not remembered. */
	private static final int MAX_PER_QUEUE = 100_000;

	/** With more of one queue there is no time to lose. */
	private static final int URGENT = 20_000;

	private final JournalTable table;

	private final Transactions transactions;

	private final Reset reset;

	private final Map<String, Map<String, Long>> queues = new ConcurrentHashMap<>();

	/** Queues whose tasks may all have got lost in the store. */
	private final Set<String> resets = ConcurrentHashMap.newKeySet();

	Marks(JournalTable table, Transactions transactions, Reset reset) {
		this.table = table;
		this.transactions = transactions;
		this.reset = reset;
	}

	void add(String queue, List<Key> keys) {
		Map<String, Long> marks = this.queues.computeIfAbsent(queue, (name) -> new ConcurrentHashMap<>());
		if (marks.size() + keys.size() <= MAX_PER_QUEUE) {
			keys.forEach((key) -> marks.put(key.taskId(), key.generation()));
		}
	}

	/**
	 * Let all tasks of a queue be handed over once more.
	 * @param queue the queue
	 */
	void reset(String queue) {
		this.resets.add(queue);
	}

	/**
	 * Nothing of a queue is to be written down: the store has lost it.
	 * @param queue the queue
	 */
	void forget(String queue) {
		this.queues.remove(queue);
	}

	/**
	 * These rows are gone.
	 * @param queue the queue
	 * @param keys which
	 */
	void forget(String queue, Collection<Key> keys) {
		Map<String, Long> marks = this.queues.get(queue);
		if (marks != null && !marks.isEmpty()) {
			keys.forEach((key) -> marks.remove(key.taskId(), key.generation()));
		}
	}

	/**
	 * Whether to write down at once what is remembered.
	 * @return whether that is more than should be remembered for long
	 */
	boolean isUrgent() {
		return !this.resets.isEmpty() || this.queues.values().stream().anyMatch((marks) -> marks.size() > URGENT);
	}

	/**
	 * Write down all that is remembered.
	 */
	void flush() {
		for (String queue : this.resets) {
			try {
				this.reset.all(queue);
				this.resets.remove(queue);
			}
			catch (RuntimeException ex) {
				logger.debug("Tasks of queue '{}' could not be marked as to be handed over; it will be tried again",
						queue, ex);
			}
		}
		this.queues.forEach((queue, marks) -> {
			try {
				while (flush(queue, marks)) {
					logger.trace("Marked tasks of queue '{}'", queue);
				}
			}
			catch (RuntimeException ex) {
				logger.debug("Tasks of queue '{}' could not be marked as handed over; a loader will do it", queue, ex);
			}
		});
	}

	private boolean flush(String queue, Map<String, Long> marks) {
		List<Key> batch = new ArrayList<>();
		Iterator<Map.Entry<String, Long>> entries = marks.entrySet().iterator();
		while (batch.size() < TaskStore.MAX_BATCH && entries.hasNext()) {
			Map.Entry<String, Long> entry = entries.next();
			batch.add(new Key(entry.getKey(), entry.getValue()));
			entries.remove();
		}
		if (batch.isEmpty()) {
			return false;
		}
		// by id, as everybody locks
		batch.sort(Key.ORDER);
		this.transactions.write(queue, (later) -> {
			this.table.confirm(queue, batch);
			return true;
		});
		return batch.size() == TaskStore.MAX_BATCH;
	}

}
