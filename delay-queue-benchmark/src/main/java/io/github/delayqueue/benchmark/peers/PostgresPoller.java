package io.github.delayqueue.benchmark.peers;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import javax.sql.DataSource;

import io.github.delayqueue.benchmark.Payloads;
import io.github.delayqueue.benchmark.TaskSink;

/**
 * Locks a batch of rows that are due, handles them, deletes them, and commits. A process
 * that ends before that gives its rows back, because its transaction ends with it.
 */
final class PostgresPoller implements Workers.Step {

	static final int BATCH = 200;

	static final Duration INTERVAL = Duration.ofMillis(20);

	private static final String TAKE = "SELECT id, payload FROM " + PostgresSystem.TABLE
			+ " WHERE due_at <= ? ORDER BY due_at LIMIT " + BATCH + " FOR UPDATE SKIP LOCKED";

	private static final String DELETE = "DELETE FROM " + PostgresSystem.TABLE + " WHERE id = ANY (?)";

	private final DataSource dataSource;

	private final TaskSink sink;

	PostgresPoller(DataSource dataSource, TaskSink sink) {
		this.dataSource = dataSource;
		this.sink = sink;
	}

	@Override
	public Duration run() throws SQLException {
		try (Connection connection = this.dataSource.getConnection()) {
			connection.setAutoCommit(false);
			try {
				int handled = handle(connection);
				connection.commit();
				return (handled == BATCH) ? Duration.ZERO : INTERVAL;
			}
			catch (SQLException | RuntimeException ex) {
				connection.rollback();
				throw ex;
			}
		}
	}

	private int handle(Connection connection) throws SQLException {
		List<String> ids = new ArrayList<>();
		List<String> payloads = new ArrayList<>();
		try (PreparedStatement take = connection.prepareStatement(TAKE)) {
			take.setLong(1, System.currentTimeMillis());
			try (ResultSet rows = take.executeQuery()) {
				while (rows.next()) {
					ids.add(rows.getString(1));
					payloads.add(rows.getString(2));
				}
			}
		}
		if (!ids.isEmpty()) {
			payloads.forEach((payload) -> this.sink.handle(Payloads.fromJson(payload)));
			try (PreparedStatement delete = connection.prepareStatement(DELETE)) {
				delete.setArray(1, connection.createArrayOf("text", ids.toArray()));
				delete.executeUpdate();
			}
		}
		return ids.size();
	}

}
