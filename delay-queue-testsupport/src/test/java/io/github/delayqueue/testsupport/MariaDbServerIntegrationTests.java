package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@SelfTest
class MariaDbServerIntegrationTests {

	@Test
	void serverThatStartsRemovesNoTemporaryTablesOfOthers() throws IOException {
		Path folder = Path.of(Objects.requireNonNullElse(System.getenv("TMPDIR"), "/tmp"));
		Path table = Files.createFile(folder.resolve("#sql-temptable-" + UUID.randomUUID() + ".MAI"));
		try {
			MariaDbServer.start();
			assertThat(table).exists();
		}
		finally {
			Files.deleteIfExists(table);
		}
	}

}
