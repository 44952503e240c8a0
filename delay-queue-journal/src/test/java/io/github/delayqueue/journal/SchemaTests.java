package io.github.delayqueue.journal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The scripts for MariaDB and for MySQL are two files, because Spring Boot and people
 * look for them by the name of their database.
 */
class SchemaTests {

	@Test
	void schemaOfMySqlIsThatOfMariaDbButForItsName() throws IOException {
		List<String> mariaDb = lines("mariadb");
		List<String> mySql = lines("mysql");
		assertThat(mySql).hasSameSizeAs(mariaDb).hasSizeGreaterThan(20);
		assertThat(mariaDb.get(1)).startsWith("-- MariaDB ");
		assertThat(mySql.get(1)).startsWith("-- MySQL ");
		assertThat(mySql.subList(2, mySql.size())).isEqualTo(mariaDb.subList(2, mariaDb.size()));
	}

	private static List<String> lines(String platform) throws IOException {
		return new ClassPathResource("io/github/delayqueue/journal/schema-" + platform + ".sql")
			.getContentAsString(StandardCharsets.UTF_8)
			.lines()
			.toList();
	}

}
