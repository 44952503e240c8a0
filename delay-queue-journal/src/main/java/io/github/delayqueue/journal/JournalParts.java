package io.github.delayqueue.journal;

import java.time.Clock;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.store.TaskStore;

/** What the steps of a {@link JournaledTaskStore} consist of. */
record JournalParts(TaskStore store, JournalTable table, Transactions transactions, HandOver handOver,
		Rechecks rechecks, Journal journal, DatabaseClock clock, Ownership ownership) {

	static JournalParts of(TaskStore store, Journal journal, String keyPrefix) {
		DatabaseClock clock = clock(journal);
		JournalTable table = JournalTable.of(journal.dataSource(), clock, journal.timeout(), journal.horizon());
		Transactions transactions = new Transactions(journal.transactionManager(), journal.dataSource(),
				journal.timeout(), table.locksGaps());
		TableIdentity identity = new TableIdentity(table.loader(), transactions);
		if (!keyPrefix.isEmpty()) {
			identity.requireKeyPrefix(keyPrefix);
		}
		Ownership ownership = new Ownership(identity.id(), store, journal.clock());
		return new JournalParts(store, table, transactions,
				new HandOver(store, clock, journal.horizon(), ownership::isRefused), new Rechecks(table, transactions),
				journal, clock, ownership);
	}

	private static DatabaseClock clock(Journal journal) {
		Clock turned = journal.databaseClock();
		if (turned != null) {
			return new DatabaseClock(turned);
		}
		DatabaseProduct product = DatabaseProduct.of(journal.dataSource());
		DatabaseClock clock = product.clock(product.jdbc(journal.dataSource(), journal.timeout()), journal.clock());
		clock.ask();
		return clock;
	}

	/** The clock: whoever is about to count from it asks the database now and then. */
	DatabaseClock clock(@Nullable String queue) {
		if (this.clock.isToBeAsked()) {
			this.transactions.read(queue, () -> {
				this.clock.ask();
				return true;
			});
		}
		return this.clock;
	}

}
