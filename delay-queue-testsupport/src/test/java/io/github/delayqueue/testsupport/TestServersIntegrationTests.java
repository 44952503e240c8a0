package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@EachServer
@SelfTest
class TestServersIntegrationTests {

	private final TestServer server;

	TestServersIntegrationTests(TestServer server) {
		this.server = server;
	}

	@Test
	void serverIsNamedByItsKindAndVersion() {
		assertThat(this.server.toString()).matches("(Redis|Valkey) \\d+\\.\\d+\\.\\d+");
	}

	@Test
	void ownProcessIsOfTheSameKindAndVersion() {
		try (RedisServer process = this.server.newProcess().build().start()) {
			assertThat(process.port()).isNotEqualTo(this.server.port());
			assertThat(process.version()).isEqualTo(this.server.toString());
		}
	}

	@Test
	void sharedServerComesFirstAndNoneTwice() {
		assertThat(TestServers.all()).contains(this.server).first().isSameAs(TestRedis.server());
		assertThat(TestServers.all()).extracting(TestServer::toString).doesNotHaveDuplicates();
	}

	@Test
	void valkeyIsNotTakenForTheRedisItIsLike() {
		assertThat(TestServer.nameOf(Map.of("redis_version", "7.2.4", "valkey_version", "9.1.2")))
			.isEqualTo("Valkey 9.1.2");
	}

	@Test
	void folderStandsForTheExecutableFilesInIt(@TempDir Path folder) throws IOException {
		Path second = executable(folder.resolve("second"));
		Path first = executable(folder.resolve("first"));
		Files.createFile(folder.resolve("fetch.log"));
		executable(Files.createDirectory(folder.resolve("below")).resolve("third"));
		assertThat(TestServers.executables(List.of(folder.toString(), second.toString()))).containsExactly(first,
				second, second);
	}

	@Test
	void whatIsAskedForAndNotThereFails(@TempDir Path folder) {
		assertThatIllegalStateException().isThrownBy(() -> TestServers.executables(List.of(folder.toString())))
			.withMessageContaining(folder.toString());
		Path missing = folder.resolve("redis-server");
		assertThatIllegalStateException().isThrownBy(() -> TestServers.executables(List.of(missing.toString())))
			.withMessageContaining(missing.toString());
	}

	private static Path executable(Path path) throws IOException {
		assertThat(Files.createFile(path).toFile().setExecutable(true)).isTrue();
		return path;
	}

}
