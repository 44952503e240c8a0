package io.github.delayqueue.journal;

import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

import javax.sql.DataSource;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.StatementCallback;
import org.springframework.jdbc.support.SQLErrorCodeSQLExceptionTranslator;

/** The databases that a journal can be in. */
enum DatabaseProduct {

	POSTGRESQL("PostgreSQL", 12, 0, PostgresDialect::new),

	MYSQL("MySQL", 8, 0, (jdbc) -> new MySqlDialect(jdbc, false)),

	MARIADB("MariaDB", 10, 6, (jdbc) -> new MySqlDialect(jdbc, true)),

	H2("H2", 2, 2, H2Dialect::new);

	/**
	 * Codes that Spring does not know: in MariaDB a row has changed since the snapshot,
	 * in H2 another transaction is changing it.
	 */
	private static final Set<Integer> CONCURRENCY_FAILURES = Set.of(1020, 90131);

	private final String productName;

	private final int major;

	private final int minor;

	private final Function<JdbcTemplate, Dialect> dialect;

	DatabaseProduct(String productName, int major, int minor, Function<JdbcTemplate, Dialect> dialect) {
		this.productName = productName;
		this.major = major;
		this.minor = minor;
		this.dialect = dialect;
	}

	/**
	 * Connects to the database; {@link JournalSetupException} if it is none of these, or
	 * too old.
	 */
	static DatabaseProduct of(DataSource dataSource) {
		JdbcTemplate jdbc = new JdbcTemplate(dataSource);
		DatabaseProduct product = Objects
			.requireNonNull(jdbc.execute((ConnectionCallback<DatabaseProduct>) (connection) -> {
				DatabaseMetaData database = connection.getMetaData();
				return of(database.getDatabaseProductName(), database.getDatabaseProductVersion(),
						database.getDatabaseMajorVersion(), database.getDatabaseMinorVersion());
			}));
		if (product == POSTGRESQL) {
			// others that speak its protocol, as CockroachDB, say that they are it
			jdbc.query("SELECT version()", (answer) -> {
				if (!answer.getString(1).startsWith(product.productName)) {
					throw unsupported(answer.getString(1));
				}
			});
		}
		return product;
	}

	static DatabaseProduct of(String name, String version, int major, int minor) {
		DatabaseProduct product = Arrays.stream(values())
			.filter((candidate) -> candidate.productName.equals(name))
			.findFirst()
			.orElseThrow(() -> unsupported(name + " " + version));
		// The driver of MySQL reports a MariaDB as a MySQL of an old version
		boolean recent = major > product.major || (major == product.major && minor >= product.minor)
				|| version.contains(MARIADB.productName) && product == MYSQL;
		if (!recent) {
			throw unsupported(name + " " + version);
		}
		return product;
	}

	private static JournalSetupException unsupported(String database) {
		return new JournalSetupException(
				"A journal cannot be kept in " + database
						+ ": it takes PostgreSQL 12, MySQL 8, MariaDB 10.6, H2 2.2 or later",
				"Keep it in one of these, with the business data.");
	}

	String platform() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * {@code now()} stands still in a transaction, and no answer is to depend on the time
	 * zone of a connection. A database within the application has its clock.
	 */
	DatabaseClock clock(JdbcTemplate jdbc, Clock application) {
		return switch (this) {
			case POSTGRESQL -> clock(jdbc,
					"SELECT CAST(FLOOR(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000) AS bigint)", application);
			case MYSQL, MARIADB ->
				clock(jdbc, "SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(6))", application);
			case H2 -> new DatabaseClock(application);
		};
	}

	private static DatabaseClock clock(JdbcTemplate jdbc, String query, Clock application) {
		return new DatabaseClock(
				(asking) -> Objects.requireNonNull(jdbc.execute((StatementCallback<Long>) (statement) -> {
					asking.run();
					try (ResultSet answer = statement.executeQuery(query)) {
						answer.next();
						return answer.getLong(1);
					}
				})), System::nanoTime, application);
	}

	Dialect dialect(JdbcTemplate jdbc) {
		return this.dialect.apply(jdbc);
	}

	/**
	 * Tells errors apart by the database's own codes: exceptions of a driver and SQL
	 * states do not tell of every lock that could not be had.
	 */
	JdbcTemplate jdbc(DataSource dataSource, Duration timeout) {
		JdbcTemplate jdbc = new JdbcTemplate(dataSource);
		jdbc.setQueryTimeout(Math.toIntExact(timeout.plusNanos(999_999_999).toSeconds()));
		SQLErrorCodeSQLExceptionTranslator translator = new SQLErrorCodeSQLExceptionTranslator(this.productName);
		translator.setCustomTranslator(
				(task, sql, ex) -> CONCURRENCY_FAILURES.contains(ex.getErrorCode()) ? new ConcurrencyFailureException(
						task + " failed because of another transaction: " + ex.getMessage(), ex) : null);
		jdbc.setExceptionTranslator(translator);
		return jdbc;
	}

}
