package io.github.delayqueue.testsupport;

import java.io.IOException;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.opentest4j.TestAbortedException;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A PostgreSQL server of a Maven artifact, which ends with the JVM. Its commits do not
 * wait for the disk.
 */
final class PostgresServer implements TestDatabase.DatabaseServer {

	private static final String USER = "postgres";

	private final EmbeddedPostgres postgres;

	private final JdbcClient client;

	private PostgresServer(EmbeddedPostgres postgres) {
		this.postgres = postgres;
		this.client = JdbcClient.create(postgres.getPostgresDatabase());
	}

	static PostgresServer start() {
		try {
			return new PostgresServer(EmbeddedPostgres.builder()
				.setServerConfig("synchronous_commit", "off")
				// it changes what the planner knows, and while it looks at any table
				// VACUUM can mark nothing as visible to all
				.setServerConfig("autovacuum", "off")
				.setPGStartupWait(Patience.LIMIT)
				.start());
		}
		catch (IOException | IllegalStateException ex) {
			throw failure(ex);
		}
	}

	/** Tests are aborted only if there is no server for this platform. */
	static RuntimeException failure(Exception cause) {
		return String.valueOf(cause.getMessage()).startsWith("Missing embedded postgres binaries")
				? new TestAbortedException("There is no PostgreSQL server for this platform", cause)
				: new IllegalStateException("A PostgreSQL server cannot be started", cause);
	}

	@Override
	public TemporaryDatabase create(String name, String parameters) {
		this.client.sql("CREATE DATABASE " + name).update();
		return new TemporaryDatabase(this.postgres.getJdbcUrl(USER, name) + parameters, USER,
				(database) -> this.client.sql("DROP DATABASE " + name + " WITH (FORCE)").update());
	}

}
