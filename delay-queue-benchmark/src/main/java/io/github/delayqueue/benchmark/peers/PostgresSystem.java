package io.github.delayqueue.benchmark.peers;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import io.github.delayqueue.benchmark.Producer;
import io.github.delayqueue.benchmark.QueueSystem;
import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.TaskSink;

/**
 * A table of PostgreSQL that pollers read with {@code SKIP LOCKED}. Rows are deleted in
 * the transaction that locked them, after they have been handled.
 */
final class PostgresSystem implements QueueSystem {

	static final String TABLE = "delayed_task";

	private static final int POLLERS = 4;

	private static final int CONNECTIONS = 20;

	private final HikariDataSource dataSource;

	private final Producer producer;

	PostgresSystem(Servers servers) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(servers.postgres());
		config.setMaximumPoolSize(CONNECTIONS);
		config.setPoolName("benchmark");
		this.dataSource = new HikariDataSource(config);
		execute("CREATE TABLE IF NOT EXISTS " + TABLE
				+ " (id text PRIMARY KEY, due_at bigint NOT NULL, payload text NOT NULL)"
				// rows live for a short time: what is left of them is removed early
				+ " WITH (autovacuum_vacuum_scale_factor = 0.01)");
		execute("CREATE INDEX IF NOT EXISTS " + TABLE + "_due ON " + TABLE + " (due_at)");
		this.producer = new PostgresProducer(this.dataSource);
	}

	private void execute(String sql) {
		try (Connection connection = this.dataSource.getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
		catch (SQLException ex) {
			throw new IllegalStateException("PostgreSQL refused: " + sql, ex);
		}
	}

	private String select(String sql) {
		try (Connection connection = this.dataSource.getConnection();
				Statement statement = connection.createStatement();
				ResultSet result = statement.executeQuery(sql)) {
			result.next();
			return result.getString(1);
		}
		catch (SQLException ex) {
			throw new IllegalStateException("PostgreSQL refused: " + sql, ex);
		}
	}

	private String show(String parameter) {
		return select("SHOW " + parameter);
	}

	@Override
	public Map<String, String> settings() {
		Map<String, String> settings = new LinkedHashMap<>();
		settings.put("server", "PostgreSQL " + show("server_version"));
		settings.put("shared_buffers", show("shared_buffers"));
		settings.put("synchronous_commit", show("synchronous_commit"));
		settings.put("client", "pgjdbc and HikariCP, " + CONNECTIONS + " connections");
		settings.put("index", "primary key (id), index on (due_at)");
		settings.put("pollers", POLLERS + " threads, " + PostgresPoller.BATCH + " rows a transaction");
		settings.put("poll interval", PostgresPoller.INTERVAL.toMillis() + " ms, repeated at once after a full batch");
		settings.put("bulk", "INSERT of arrays, " + PostgresProducer.CHUNK + " rows each");
		return settings;
	}

	@Override
	public Producer producer() {
		return this.producer;
	}

	@Override
	public Consumption consume(TaskSink sink) {
		Workers workers = new Workers(() -> {
		});
		for (int i = 0; i < POLLERS; i++) {
			workers.add("postgres-poller-" + i, new PostgresPoller(this.dataSource, sink));
		}
		return workers;
	}

	@Override
	public void reset() {
		execute("TRUNCATE " + TABLE);
	}

	@Override
	public OptionalLong pending() {
		return OptionalLong.of(Long.parseLong(select("SELECT count(*) FROM " + TABLE)));
	}

	@Override
	public void close() {
		this.dataSource.close();
	}

}
