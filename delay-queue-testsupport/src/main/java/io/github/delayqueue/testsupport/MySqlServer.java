package io.github.delayqueue.testsupport;

import org.opentest4j.TestAbortedException;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * A MySQL server that somebody has: there is none of a Maven artifact. Its user may
 * create databases, and drop them.
 */
final class MySqlServer implements TestDatabase.DatabaseServer {

	private static final String URL = "delayqueue.test.mysql";

	private final String url;

	private final String username = System.getProperty(URL + ".user", "root");

	private final String password = System.getProperty(URL + ".password", "");

	private final JdbcClient client;

	private MySqlServer(String url) {
		this.url = url;
		this.client = JdbcClient.create(new DriverManagerDataSource(url, this.username, this.password));
	}

	static MySqlServer given() {
		String url = System.getProperty(URL);
		if (url == null) {
			throw new TestAbortedException("No MySQL is given by " + URL);
		}
		return new MySqlServer(url);
	}

	@Override
	public TemporaryDatabase create(String name, String parameters) {
		this.client.sql("CREATE DATABASE " + name).update();
		return new TemporaryDatabase(this.url + name + parameters, this.username, this.password,
				(database) -> this.client.sql("DROP DATABASE " + name).update());
	}

}
