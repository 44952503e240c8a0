package io.github.delayqueue.benchmark.server;

import java.io.IOException;
import java.io.UncheckedIOException;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/**
 * A PostgreSQL server of our own, on a free port and in a temporary folder. A commit does
 * not wait for the disk, because Redis is run without persistence as well, unless a
 * connection asks for it, as
 * {@link io.github.delayqueue.benchmark.Servers#durablePostgres} does; it has memory
 * enough for all rows, and removes old ones early.
 */
public final class PostgresProcess implements AutoCloseable {

	private final EmbeddedPostgres postgres;

	private PostgresProcess(EmbeddedPostgres postgres) {
		this.postgres = postgres;
	}

	public static PostgresProcess start() {
		try {
			return new PostgresProcess(EmbeddedPostgres.builder()
				.setServerConfig("synchronous_commit", "off")
				// what is committed and waited for is on the disk, unlike the library's
				// default
				.setServerConfig("fsync", "on")
				.setServerConfig("shared_buffers", "512MB")
				.setServerConfig("max_wal_size", "4GB")
				.setServerConfig("autovacuum_naptime", "5s")
				.start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * The address.
	 * @return JDBC URL with user and password
	 */
	public String url() {
		return this.postgres.getJdbcUrl("postgres", "postgres");
	}

	@Override
	public void close() {
		try {
			this.postgres.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
