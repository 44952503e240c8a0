package io.github.delayqueue.journal;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.journal.LoaderTable.CheckPosition;

/**
 * Lets all tasks of a queue be looked at again that the store may have lost, bit by bit,
 * as no transaction is to take long. Going backwards ends, although others hand tasks
 * over meanwhile: what they move on is looked at later. Thread-safe.
 */
final class Rechecks {

	private static final Logger logger = LoggerFactory.getLogger(Rechecks.class);

	private static final int ROWS_AT_A_TIME = 5000;

	private final JournalTable table;

	private final Transactions transactions;

	/** Queues whose tasks the store may have lost. */
	private final Set<String> wanted = ConcurrentHashMap.newKeySet();

	/** Queues of which rows are to be looked at that were to be looked at long ago. */
	private final Set<String> done = ConcurrentHashMap.newKeySet();

	/** What was taken, could not be handed over, and could not be given back so far. */
	private final Map<String, Set<Key>> taken = new ConcurrentHashMap<>();

	Rechecks(JournalTable table, Transactions transactions) {
		this.table = table;
		this.transactions = transactions;
	}

	/**
	 * Look at all tasks again. When it has failed, some of it may be done.
	 * @param meanwhile is run in each transaction
	 */
	long all(String queue, Runnable meanwhile) {
		long now = this.table.clock().millis();
		recheck(queue, now, new CheckPosition(now, this.table.checks().latest(now), Long.MAX_VALUE), meanwhile);
		// the dead ones, which nobody looks at otherwise
		recheck(queue, now, new CheckPosition(CheckTimes.RESTING, Long.MAX_VALUE, Long.MAX_VALUE), meanwhile);
		this.done.add(queue);
		return now;
	}

	private void recheck(String queue, long lostAt, CheckPosition first, Runnable meanwhile) {
		CheckPosition from = first;
		while (from != null) {
			CheckPosition position = from;
			from = this.transactions.loading(queue, () -> {
				meanwhile.run();
				return this.table.loader().recheckLost(queue, lostAt, position, ROWS_AT_A_TIME);
			});
		}
	}

	/** Look at some tasks again, unless somebody else is about to change them. */
	void some(String queue, List<Key> keys) {
		if (keys.isEmpty()) {
			return;
		}
		try {
			this.transactions.apart(queue, () -> this.table.loader().recheck(queue, this.table.tryLock(queue, keys)));
		}
		catch (RuntimeException ex) {
			logger.debug("{} tasks of queue '{}' are looked at when they are overdue", keys.size(), queue, ex);
		}
	}

	/**
	 * Look at tasks again that this process took and could not hand over. If the table
	 * cannot be told so either, it is as soon as it can be.
	 */
	void giveBack(String queue, Collection<Key> keys) {
		try {
			this.transactions.loading(queue, () -> this.table.loader().recheck(queue, keys));
		}
		catch (RuntimeException ex) {
			this.taken.compute(queue, (name, before) -> {
				// within the step: who takes the set away must not miss them
				Set<Key> all = (before != null) ? before : ConcurrentHashMap.newKeySet();
				all.addAll(keys);
				return all;
			});
			throw ex;
		}
	}

	void want(String queue) {
		this.wanted.add(queue);
	}

	/** Whether a queue has tasks to be looked at again, or is to have some. */
	boolean isWanted(String queue) {
		return this.wanted.contains(queue) || this.done.contains(queue) || this.taken.containsKey(queue);
	}

	/** Whether all is to be looked at again since this was last asked. */
	boolean isDone(String queue) {
		return this.done.remove(queue);
	}

	/** Do so now if it is wanted. The calling thread must have no transaction. */
	void wanted(String queue) {
		Set<Key> taken = this.taken.remove(queue);
		if (taken != null) {
			giveBack(queue, taken);
		}
		// before: what is asked for meanwhile is to be done once more
		if (!this.wanted.remove(queue)) {
			return;
		}
		try {
			all(queue, () -> {
			});
		}
		catch (RuntimeException ex) {
			this.wanted.add(queue);
			logger.debug("Tasks of queue '{}' that may be lost could not be looked at; it will be tried again", queue,
					ex);
		}
	}

}
