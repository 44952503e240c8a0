package io.github.delayqueue.benchmark.peers;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

import javax.sql.DataSource;

import io.github.delayqueue.benchmark.BenchTask;
import io.github.delayqueue.benchmark.Payloads;
import io.github.delayqueue.benchmark.Producer;

/**
 * Inserts rows, many at once as arrays.
 */
final class PostgresProducer implements Producer {

	static final int CHUNK = 1000;

	private static final String ONE = "INSERT INTO " + PostgresSystem.TABLE + " (id, due_at, payload) VALUES (?, ?, ?)";

	private static final String MANY = "INSERT INTO " + PostgresSystem.TABLE
			+ " (id, due_at, payload) SELECT * FROM unnest(?::text[], ?::bigint[], ?::text[])";

	private final DataSource dataSource;

	PostgresProducer(DataSource dataSource) {
		this.dataSource = dataSource;
	}

	@Override
	public void schedule(BenchTask task) {
		try (Connection connection = this.dataSource.getConnection();
				PreparedStatement insert = connection.prepareStatement(ONE)) {
			insert.setString(1, task.id());
			insert.setLong(2, task.dueAtMillis());
			insert.setString(3, Payloads.toJsonText(task.payload()));
			insert.executeUpdate();
		}
		catch (SQLException ex) {
			throw new IllegalStateException("Cannot insert a row", ex);
		}
	}

	@Override
	public void scheduleAll(List<BenchTask> tasks) {
		try (Connection connection = this.dataSource.getConnection();
				PreparedStatement insert = connection.prepareStatement(MANY)) {
			for (List<BenchTask> chunk : Chunks.of(tasks, CHUNK)) {
				insert.setArray(1, connection.createArrayOf("text", chunk.stream().map(BenchTask::id).toArray()));
				insert.setArray(2,
						connection.createArrayOf("bigint", chunk.stream().map(BenchTask::dueAtMillis).toArray()));
				insert.setArray(3, connection.createArrayOf("text",
						chunk.stream().map((task) -> Payloads.toJsonText(task.payload())).toArray()));
				insert.executeUpdate();
			}
		}
		catch (SQLException ex) {
			throw new IllegalStateException("Cannot insert rows", ex);
		}
	}

}
