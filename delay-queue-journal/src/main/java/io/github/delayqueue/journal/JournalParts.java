package io.github.delayqueue.journal;

import java.time.Clock;

import io.github.delayqueue.store.TaskStore;

/** What the steps of a {@link JournaledTaskStore} consist of. */
record JournalParts(TaskStore store, JournalTable table, Transactions transactions, HandOver handOver,
		Rechecks rechecks, Journal journal) {

	static JournalParts of(TaskStore store, Journal journal) {
		JournalTable table = JournalTable.of(journal.dataSource(), journal.clock(), journal.timeout(),
				journal.horizon());
		Transactions transactions = new Transactions(journal.transactionManager(), journal.dataSource(),
				journal.timeout(), table.locksGaps());
		return new JournalParts(store, table, transactions, new HandOver(store, journal.clock(), journal.horizon()),
				new Rechecks(table, transactions), journal);
	}

	Clock clock() {
		return this.journal.clock();
	}

}
