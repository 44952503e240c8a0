package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.opentest4j.TestAbortedException;

import org.springframework.util.FileSystemUtils;

/**
 * A PostgreSQL server of a test's own, to be paused and restarted as it likes. What has
 * been committed outlives that. Port and data stay the same until it is closed; what a
 * test forgets to close ends with the JVM. Not for several threads at once.
 */
public final class OwnPostgres implements AutoCloseable {

	private static final String USER = "postgres";

	private final Path directory;

	private final int port = Ports.free();

	private EmbeddedPostgres postgres;

	private OwnPostgres(Path directory) throws IOException {
		this.directory = directory;
		this.postgres = run();
	}

	/**
	 * Start a server.
	 * @throws TestAbortedException if there is none for this platform
	 */
	public static OwnPostgres start() {
		try {
			return new OwnPostgres(Files.createTempDirectory("delay-queue-postgres-"));
		}
		catch (IOException | RuntimeException ex) {
			throw PostgresServer.failure(ex);
		}
	}

	private EmbeddedPostgres run() throws IOException {
		return EmbeddedPostgres.builder()
			.setDataDirectory(this.directory.resolve("data"))
			.setCleanDataDirectory(false)
			.setPort(this.port)
			// a process that is killed loses nothing that it has given to the system
			.setServerConfig("fsync", "off")
			.setPGStartupWait(Patience.LIMIT)
			.start();
	}

	/**
	 * The database that there is.
	 * @return access to it, to be closed
	 */
	public TemporaryDatabase database() {
		return database("postgres");
	}

	/** Make another database, empty. */
	public TemporaryDatabase newDatabase(String name) {
		try (TemporaryDatabase first = database()) {
			first.execute("CREATE DATABASE " + name);
		}
		return database(name);
	}

	private TemporaryDatabase database(String name) {
		return new TemporaryDatabase(this.postgres.getJdbcUrl(USER, name), USER, (database) -> {
			// it goes with the server
		});
	}

	/** Freeze all processes (SIGSTOP): connections stay open, nothing is answered. */
	public void pause() {
		signal("STOP");
	}

	/** Let paused processes go on (SIGCONT). */
	public void resume() {
		signal("CONT");
	}

	private void signal(String name) {
		ProcessHandle server = this.postgres.getProcess().toHandle();
		Commands.signal(name, Stream.concat(Stream.of(server), server.descendants()));
	}

	/**
	 * End all processes without any tidying up, wait, and start again: it recovers from
	 * its log.
	 * @param pause for how long it is away
	 */
	public void restart(Duration pause) throws IOException, InterruptedException {
		Commands.signal("QUIT", Stream.of(this.postgres.getProcess().toHandle()));
		if (!this.postgres.getProcess().waitFor(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
			throw new IllegalStateException("PostgreSQL does not end");
		}
		TimeUnit.MILLISECONDS.sleep(pause.toMillis());
		this.postgres.close();
		this.postgres = run();
	}

	@Override
	public void close() throws IOException {
		resume();
		this.postgres.close();
		FileSystemUtils.deleteRecursively(this.directory);
	}

}
