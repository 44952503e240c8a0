package io.github.delayqueue.testsupport;

import java.util.function.Consumer;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.DatabasePopulatorUtils;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * A database of a test's own, gone when it is closed.
 */
public final class TemporaryDatabase implements AutoCloseable {

	private static final int MAX_CONNECTIONS = 20;

	private final HikariDataSource dataSource;

	private final Consumer<TemporaryDatabase> drop;

	/**
	 * Take a database that has been made.
	 * @param drop removes it, whoever is connected
	 */
	TemporaryDatabase(String url, String username, Consumer<TemporaryDatabase> drop) {
		this(url, username, "", drop);
	}

	TemporaryDatabase(String url, String username, String password, Consumer<TemporaryDatabase> drop) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(url);
		config.setUsername(username);
		config.setPassword(password);
		config.setMinimumIdle(0);
		config.setMaximumPoolSize(MAX_CONNECTIONS);
		this.dataSource = new HikariDataSource(config);
		this.drop = drop;
	}

	/**
	 * A pool of up to {@value #MAX_CONNECTIONS} connections.
	 * @return the same one each time
	 */
	public DataSource dataSource() {
		return this.dataSource;
	}

	/**
	 * The address.
	 * @return JDBC URL
	 */
	public String url() {
		return this.dataSource.getJdbcUrl();
	}

	public String username() {
		return this.dataSource.getUsername();
	}

	/** Run a statement. */
	public void execute(String sql) {
		new JdbcTemplate(this.dataSource).execute(sql);
	}

	/**
	 * Run statements, separated by semicolons.
	 * @param resource the script, a resource of the class path
	 */
	public void runScript(String resource) {
		DatabasePopulatorUtils.execute(new ResourceDatabasePopulator(new ClassPathResource(resource)), this.dataSource);
	}

	@Override
	public void close() {
		this.drop.accept(this);
		this.dataSource.close();
	}

}
