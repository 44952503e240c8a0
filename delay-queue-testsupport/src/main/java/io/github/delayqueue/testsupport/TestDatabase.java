package io.github.delayqueue.testsupport;

import java.util.UUID;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/**
 * The databases that tests run on. A server is started when the first test asks for a
 * database on it, and ends with the JVM; H2 runs in the JVM. Where there is no server for
 * a platform, that is said in a line, and tests that need it are aborted. One that is
 * there and cannot be started fails them.
 */
public enum TestDatabase {

	/** In memory, in the JVM. */
	H2("h2", () -> (name, parameters) -> new TemporaryDatabase(
			"jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1" + parameters, "sa",
			(database) -> database.execute("SHUTDOWN"))),

	/** A PostgreSQL server of our own. */
	POSTGRESQL("postgresql", PostgresServer::start),

	/** A MariaDB server of our own. */
	MARIADB("mariadb", MariaDbServer::start),

	/** A MySQL server that is given: there is none that tests could start. */
	MYSQL("mysql", MySqlServer::given);

	private final String platform;

	private final Supplier<DatabaseServer> start;

	private @Nullable DatabaseServer server;

	private @Nullable RuntimeException failure;

	TestDatabase(String platform, Supplier<DatabaseServer> start) {
		this.platform = platform;
		this.start = start;
	}

	/** What Spring Boot calls this kind of database, and so do the names of scripts. */
	public String platform() {
		return this.platform;
	}

	/**
	 * Make an empty database.
	 * @return the database, to be closed
	 * @throws TestAbortedException if there is no server for this platform
	 */
	public TemporaryDatabase create() {
		return create("");
	}

	/**
	 * Make an empty database.
	 * @param parameters what is added to its URL, beginning with the character that
	 * separates it from what is there
	 * @return the database, to be closed
	 * @throws TestAbortedException if there is no server for this platform
	 */
	public TemporaryDatabase create(String parameters) {
		return server().create("t" + UUID.randomUUID().toString().replace("-", ""), parameters);
	}

	/** Make the tables of the journal in a database of this kind. */
	public void applyJournalSchema(TemporaryDatabase database) {
		database.runScript("io/github/delayqueue/journal/schema-" + this.platform + ".sql");
	}

	private synchronized DatabaseServer server() {
		if (this.failure != null) {
			throw this.failure;
		}
		if (this.server == null) {
			try {
				this.server = this.start.get();
			}
			catch (RuntimeException ex) {
				this.failure = (ex instanceof TestAbortedException) ? ex
						: new IllegalStateException("The server of " + this + " cannot be started", ex);
				System.out.println("No tests on " + this + ": " + ex.toString().lines().findFirst().orElse(""));
				throw this.failure;
			}
		}
		return this.server;
	}

	/** Makes databases. */
	interface DatabaseServer {

		/**
		 * Make an empty database.
		 * @param parameters what is added to its URL
		 */
		TemporaryDatabase create(String name, String parameters);

	}

}
