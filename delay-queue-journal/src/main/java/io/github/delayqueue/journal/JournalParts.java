package io.github.delayqueue.journal;

import java.time.Clock;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

import io.github.delayqueue.store.TaskStore;

/** What the steps of a {@link JournaledTaskStore} consist of. */
record JournalParts(TaskStore store, JournalTable table, Transactions transactions, HandOver handOver,
		Rechecks rechecks, Journal journal, DatabaseClock clock, Ownership ownership) {

	static JournalParts of(TaskStore store, Journal journal, String keyPrefix) {
		DatabaseProduct product = DatabaseProduct.of(journal.dataSource());
		JdbcTemplate jdbc = product.jdbc(journal.dataSource(), journal.timeout());
		new JournalSchema(jdbc, product).check();
		Clock turned = journal.databaseClock();
		DatabaseClock clock = (turned != null) ? new DatabaseClock(turned) : product.clock(jdbc, journal.clock());
		clock.ask();
		JournalTable table = JournalTable.of(journal.dataSource(), clock, journal.timeout(), journal.horizon(),
				product);
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
