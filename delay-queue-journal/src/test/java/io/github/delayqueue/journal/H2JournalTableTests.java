package io.github.delayqueue.journal;

import java.lang.reflect.Proxy;

import org.junit.jupiter.api.Test;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.JdbcTemplate;

import io.github.delayqueue.journal.LoaderTable.CheckPosition;
import io.github.delayqueue.testsupport.TestDatabase;

import static io.github.delayqueue.journal.JournalTableFixture.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The table of the journal in H2.
 */
class H2JournalTableTests extends AbstractJournalTableTests {

	H2JournalTableTests() {
		super(TestDatabase.H2, "");
	}

	/** As PostgreSQL answers what is written anew while the page is read. */
	@Test
	void walkGoesOnWhereItWasAlthoughTheLastRowOfAPageIsToBeLookedAtSooner() {
		for (int i = 0; i < 6; i++) {
			row("task-" + i, NOW, NOW + 100_000 - i);
		}
		Dialect h2 = DatabaseProduct.H2.dialect(new JdbcTemplate(dataSource()));
		Dialect dialect = (Dialect) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { Dialect.class }, (proxy, method, arguments) -> {
					Object answer = method.invoke(h2, arguments);
					return method.getName().equals("locking")
							? String.valueOf(answer)
								.replace("check_at FROM",
										"CASE WHEN task_id = 'task-1' THEN " + (NOW + 5000) + " ELSE check_at END FROM")
							: answer;
				});
		LoaderTable loader = new LoaderTable(new JdbcTemplate(dataSource()), new JdbcTemplate(dataSource()), dialect,
				clock(), CHECKS);
		CheckPosition next = JournalLoaderContract.first(NOW);
		while (next != null) {
			next = loader.recheckLost(queue(), NOW, next, 2);
		}
		assertThat(ids(take(500))).hasSize(6);
	}

	/** It waits, and what has not been had in time is repeated. */
	@Override
	public void recheckLostWhileSomeIsLocked() {
		assertThatExceptionOfType(ConcurrencyFailureException.class).isThrownBy(
				() -> inTransaction(() -> loader().recheckLost(queue(), NOW, JournalLoaderContract.first(NOW), 3)));
		assertThat(checkOf("task-8")).as("rolled back").isEqualTo(NOW + 10_008);
	}

}
