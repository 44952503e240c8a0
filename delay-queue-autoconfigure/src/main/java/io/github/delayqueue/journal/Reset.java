package io.github.delayqueue.journal;

import java.time.Clock;
import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets all tasks of a queue be handed over once more, because the store may have lost
 * them. Bit by bit, as no transaction is to take long. Thread-safe.
 * <p>
 * Other instances may still remember that they have handed tasks over, before the loss:
 * they are not to note it afterwards, or these tasks would be looked for only when they
 * are overdue.
 */
final class Reset {

	private static final Logger logger = LoggerFactory.getLogger(Reset.class);

	/** What others hand over again meanwhile has been noted later than that. */
	private static final Duration CLOCK_TOLERANCE = Loading.GRACE;

	/** For how long at most somebody remembers that he has handed over a task. */
	private static final Duration MEMORY = Duration.ofMinutes(2);

	private static final int DISOWNED_AT_A_TIME = 5000;

	private final JournalTable table;

	private final Transactions transactions;

	private final Clock clock;

	private final Duration horizon;

	private final int batchSize;

	Reset(JournalTable table, Transactions transactions, Journal journal) {
		this.table = table;
		this.transactions = transactions;
		this.clock = journal.clock();
		this.horizon = journal.horizon();
		this.batchSize = journal.batchSize();
	}

	/**
	 * Do so. When it has failed, some of it may be done.
	 * @param queue the queue
	 */
	void all(String queue) {
		long now = this.clock.millis();
		// first those that wait: one that is noted as handed over just before that is
		// seen below
		long dueUntil = now + this.horizon.toMillis();
		while (this.transactions.write(queue, (later) -> this.table.loader()
			.disown(queue, dueUntil, now - MEMORY.toMillis(), DISOWNED_AT_A_TIME)) > 0) {
			logger.trace("What others know of tasks of queue '{}' that wait is void", queue);
		}
		while (this.transactions.write(queue, (later) -> this.table.loader()
			.reset(queue, now + CLOCK_TOLERANCE.toMillis(), now + MEMORY.toMillis(), this.batchSize)) > 0) {
			logger.trace("Tasks of queue '{}' are to be handed over once more", queue);
		}
	}

}
