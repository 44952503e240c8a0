package io.github.delayqueue.journal;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.testsupport.TemporaryDatabase;
import io.github.delayqueue.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A transaction of the application that cancels a task while it is handled, and stays
 * open for longer than its lease, with Redis and PostgreSQL.
 */
@Heavy
@Execution(ExecutionMode.CONCURRENT)
class HeldRowsIntegrationTests {

	private static final int TASKS = 20;

	private static final String KEY = "delay:queue:{orders}";

	/** As the application has it. */
	private static final Duration LEASE_DURATION = Duration.ofSeconds(5);

	@Test
	void othersAreSettledAndTheLeaseOfTheOneIsExtended() throws SQLException {
		try (RedisServer redis = RedisServer.startNew();
				TemporaryDatabase database = TestDatabase.POSTGRESQL.create();
				JournaledApplication application = new JournaledApplication(redis, database, Map.of());
				Connection connection = database.dataSource().getConnection()) {
			List<String> ids = application.schedule("task", TASKS, Instant.now().plusSeconds(1200));
			await().until(() -> Long.valueOf(TASKS).equals(redis.cli("ZCARD", KEY)));
			connection.setAutoCommit(false);
			assertThat(
					connection.createStatement().executeUpdate("DELETE FROM delay_queue_task WHERE task_id = 'task7'"))
				.isOne();
			ids.forEach((id) -> redis.cli("ZADD", KEY, "XX", "1", id));
			await().until(() -> application.handlers.finished.size() == TASKS - 1);
			assertThat(application.rows()).isOne();
			double lease = lease(redis);
			await().until(() -> lease(redis) > lease + LEASE_DURATION.toMillis());
			connection.rollback();
			await().until(() -> application.handlers.finished.size() == TASKS);
			assertThat(application.rows()).isZero();
			assertThat(ids).allMatch((id) -> application.handlers.times(id) == 1);
			assertThat(application.operations().stats(JournaledApplication.QUEUE).totals().leasesLost()).isZero();
		}
	}

	/** When the one lease there is ends. */
	private static double lease(RedisServer redis) {
		assertThat(redis.cli("ZCARD", KEY + ":leases")).isEqualTo(1L);
		return Double.parseDouble(String.valueOf(redis.cli("ZSCORE", KEY + ":leases", "task7")));
	}

}
