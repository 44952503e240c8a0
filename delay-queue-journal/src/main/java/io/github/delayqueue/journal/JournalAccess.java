package io.github.delayqueue.journal;

import io.github.delayqueue.store.TaskStore;

/** The table and the store, for steps in both. */
abstract class JournalAccess {

	final JournalParts parts;

	final TaskStore store;

	final JournalTable table;

	final Transactions transactions;

	final HandOver handOver;

	final Rechecks rechecks;

	final DatabaseClock clock;

	JournalAccess(JournalParts parts) {
		this.parts = parts;
		this.store = parts.store();
		this.table = parts.table();
		this.transactions = parts.transactions();
		this.handOver = parts.handOver();
		this.rechecks = parts.rechecks();
		this.clock = parts.clock();
	}

}
