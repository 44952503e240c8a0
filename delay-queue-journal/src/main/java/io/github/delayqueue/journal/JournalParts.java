package io.github.delayqueue.journal;

import java.time.Clock;

import io.github.delayqueue.store.TaskStore;

/** What the steps of a {@link JournaledTaskStore} consist of. */
record JournalParts(TaskStore store, JournalTable table, Transactions transactions, HandOver handOver,
		Rechecks rechecks, Journal journal, Ownership ownership) {

	/**
	 * Look at the tables, and put the parts together.
	 * @param keyPrefix what the keys of the store begin with, empty if it has none
	 */
	static JournalParts of(TaskStore store, Journal journal, String keyPrefix) {
		JournalTable table = JournalTable.of(journal.dataSource(), journal.clock(), journal.timeout(),
				journal.horizon());
		Transactions transactions = new Transactions(journal.transactionManager(), journal.dataSource(),
				journal.timeout(), table.locksGaps());
		TableIdentity identity = new TableIdentity(table.jdbc(), transactions);
		if (!keyPrefix.isEmpty()) {
			identity.requireKeyPrefix(keyPrefix);
		}
		Ownership ownership = new Ownership(identity.id(), store, journal.clock());
		return new JournalParts(store, table, transactions,
				new HandOver(store, journal.clock(), journal.horizon(), ownership::isRefused),
				new Rechecks(table, transactions), journal, ownership);
	}

	Clock clock() {
		return this.journal.clock();
	}

}
