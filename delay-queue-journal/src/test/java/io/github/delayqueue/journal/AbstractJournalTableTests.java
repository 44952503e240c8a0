package io.github.delayqueue.journal;

import java.util.UUID;

import javax.sql.DataSource;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.delayqueue.testsupport.MutableClock;
import io.github.delayqueue.testsupport.TemporaryDatabase;
import io.github.delayqueue.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract of {@link JournalTable}, one interface of tests for each part of it, on a
 * database that the tests of a class share.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AbstractJournalTableTests implements JournalWriteContract, JournalRowContract, JournalIdContract,
		JournalLoaderContract, JournalConcurrencyContract, JournalSettlementContract {

	private final TestDatabase kind;

	private final String parameters;

	private final MutableClock clock = new MutableClock(START);

	private TemporaryDatabase database;

	private JournalTable table;

	private TransactionTemplate transactions;

	private String queue;

	AbstractJournalTableTests(TestDatabase kind, String parameters) {
		this.kind = kind;
		this.parameters = parameters;
	}

	@BeforeAll
	void createDatabase() {
		this.database = this.kind.create(this.parameters);
		this.kind.applyJournalSchema(this.database);
		this.table = table(this.database.dataSource());
		this.transactions = new TransactionTemplate(new JdbcTransactionManager(this.database.dataSource()));
	}

	JournalTable table(DataSource dataSource) {
		return JournalTable.of(dataSource, this.clock, TIMEOUT, HORIZON);
	}

	@AfterAll
	void dropDatabase() {
		if (this.database != null) {
			this.database.close();
		}
	}

	@Test
	void schemaIsHarmlessWhenItIsAppliedAgain() {
		written("a");
		this.kind.applyJournalSchema(this.database);
		assertThat(find("a")).isPresent();
	}

	@BeforeEach
	void prepare() {
		this.queue = "queue-" + UUID.randomUUID();
		this.clock.set(START);
	}

	TemporaryDatabase database() {
		return this.database;
	}

	@Override
	public JournalTable table() {
		return this.table;
	}

	@Override
	public String queue() {
		return this.queue;
	}

	@Override
	public MutableClock clock() {
		return this.clock;
	}

	@Override
	public DataSource dataSource() {
		return this.database.dataSource();
	}

	@Override
	public TransactionTemplate transactions() {
		return this.transactions;
	}

	@Override
	public TransactionTemplate snapshots() {
		TransactionTemplate template = new TransactionTemplate(this.transactions.getTransactionManager());
		template.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		return template;
	}

}
