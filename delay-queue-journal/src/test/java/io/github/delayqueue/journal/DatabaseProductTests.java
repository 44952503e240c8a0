package io.github.delayqueue.journal;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.testsupport.TemporaryDatabase;
import io.github.delayqueue.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

class DatabaseProductTests {

	@ParameterizedTest
	@CsvSource({ "PostgreSQL, 18.0, 18, 0, POSTGRESQL", "PostgreSQL, 12.1, 12, 1, POSTGRESQL",
			"MySQL, 8.4.2, 8, 4, MYSQL", "MySQL, 5.5.5-10.6.18-MariaDB-log, 5, 5, MYSQL",
			"MariaDB, 11.4.5-MariaDB, 11, 4, MARIADB", "MariaDB, 10.6.1-MariaDB, 10, 6, MARIADB",
			"H2, 2.4.240 (2025-09-22), 2, 4, H2" })
	void productIsFoundByItsName(String name, String version, int major, int minor, DatabaseProduct product) {
		assertThat(DatabaseProduct.of(name, version, major, minor)).isEqualTo(product);
	}

	@ParameterizedTest
	@CsvSource({ "Oracle, Oracle Database 23ai, 23, 0", "PostgreSQL, 11.22, 11, 22", "MySQL, 5.7.44, 5, 7",
			"MariaDB, 10.5.27-MariaDB, 10, 5", "H2, 1.4.200 (2019-10-14), 1, 4" })
	void unsupportedProductIsNamedWithThoseThatAreSupported(String name, String version, int major, int minor) {
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> DatabaseProduct.of(name, version, major, minor))
			.withMessage("A journal cannot be kept in " + name + " " + version
					+ ": it takes PostgreSQL 12, MySQL 8, MariaDB 10.6, H2 2.2 or later");
	}

	@Test
	void dataSourceIsAskedForItsProduct() {
		try (TemporaryDatabase database = TestDatabase.H2.create()) {
			assertThat(DatabaseProduct.of(database.dataSource())).isEqualTo(DatabaseProduct.H2);
		}
	}

	@ParameterizedTest
	@CsvSource({ "PostgreSQL 16.4 on x86_64-pc-linux-gnu, ", "CockroachDB CCL v24.1.0 (x86_64), CockroachDB" })
	void serverThatOnlySaysPostgreSqlIsRefusedByItsName(String version, @Nullable String refused) throws SQLException {
		DataSource dataSource = mock(DataSource.class, RETURNS_DEEP_STUBS);
		Connection connection = dataSource.getConnection();
		DatabaseMetaData database = connection.getMetaData();
		when(database.getDatabaseProductName()).thenReturn("PostgreSQL");
		when(database.getDatabaseProductVersion()).thenReturn("16.4");
		when(database.getDatabaseMajorVersion()).thenReturn(16);
		ResultSet answer = connection.createStatement().executeQuery("SELECT version()");
		when(answer.next()).thenReturn(true, false);
		when(answer.getString(1)).thenReturn(version);
		if (refused == null) {
			assertThat(DatabaseProduct.of(dataSource)).isEqualTo(DatabaseProduct.POSTGRESQL);
		}
		else {
			assertThatExceptionOfType(JournalSetupException.class).isThrownBy(() -> DatabaseProduct.of(dataSource))
				.withMessageStartingWith("A journal cannot be kept in " + refused);
		}
	}

}
