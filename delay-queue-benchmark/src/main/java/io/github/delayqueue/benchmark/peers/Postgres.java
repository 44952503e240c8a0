package io.github.delayqueue.benchmark.peers;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/**
 * Connections to PostgreSQL, and simple statements. Thread-safe.
 */
final class Postgres implements AutoCloseable {

	private static final int CONNECTIONS = 20;

	private final HikariDataSource dataSource;

	Postgres(String url) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(url);
		config.setMaximumPoolSize(CONNECTIONS);
		config.setPoolName("benchmark");
		this.dataSource = new HikariDataSource(config);
	}

	DataSource dataSource() {
		return this.dataSource;
	}

	void execute(String sql) {
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

	long count(String table) {
		return Long.parseLong(select("SELECT count(*) FROM " + table));
	}

	/**
	 * How server and client are set.
	 * @return names and values, to be added to
	 */
	Map<String, String> settings() {
		Map<String, String> settings = new LinkedHashMap<>();
		settings.put("server", "PostgreSQL " + select("SHOW server_version"));
		for (String name : new String[] { "shared_buffers", "synchronous_commit", "fsync" }) {
			settings.put(name, select("SHOW " + name));
		}
		settings.put("client", "pgjdbc and HikariCP, " + CONNECTIONS + " connections");
		return settings;
	}

	@Override
	public void close() {
		this.dataSource.close();
	}

}
