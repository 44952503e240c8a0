package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.testsupport.RedisServer.AppendOnly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@SelfTest
class RedisServerIntegrationTests {

	@Test
	void repliesOfEveryKindAreRead() {
		try (RedisServer server = RedisServer.startNew()) {
			assertThat(server.cli("PING")).isEqualTo("PONG");
			assertThat(server.cli("SET", "kéy", "välue\r\n")).isEqualTo("OK");
			assertThat(server.cli("GET", "kéy")).isEqualTo("välue\r\n");
			assertThat(server.cli("GET", "none")).isNull();
			assertThat(server.cli("ZADD", "set", "1", "a", "2", "b")).isEqualTo(2L);
			assertThat(server.cli("ZRANGE", "set", "0", "-1", "WITHSCORES")).isEqualTo(List.of("a", "1", "b", "2"));
			assertThat(server.cli("MGET", "kéy", "none")).isEqualTo(Arrays.asList("välue\r\n", null));
			assertThatIllegalStateException().isThrownBy(() -> server.cli("HGET", "set", "a"))
				.withMessageStartingWith("WRONGTYPE");
		}
	}

	@Test
	void appendOnlyServerKeepsItsDataWhenKilled() {
		try (RedisServer server = RedisServer.builder().appendOnly(AppendOnly.ALWAYS).build().start()) {
			server.cli("SET", "key", "value");
			server.kill();
			assertThat(server.isRunning()).isFalse();
			assertThatIllegalStateException().isThrownBy(() -> server.cli("PING"));
			server.start();
			assertThat(server.cli("GET", "key")).isEqualTo("value");
		}
	}

	@Test
	void serverWithoutFilesForgetsItsDataWhenRestarted() {
		try (RedisServer server = RedisServer.startNew()) {
			server.cli("SET", "key", "value");
			server.stop();
			server.start();
			assertThat(server.cli("EXISTS", "key")).isEqualTo(0L);
		}
	}

	@Test
	void pausedServerIsSilentUntilResumed() throws IOException {
		try (RedisServer server = RedisServer.startNew()) {
			server.pause();
			try (RespConnection connection = RespConnection.open(server.host(), server.port(),
					Duration.ofMillis(500))) {
				assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> connection.call("PING"));
			}
			server.resume();
			assertThat(server.cli("PING")).isEqualTo("PONG");
		}
	}

	@Test
	void configurationArgumentsReachTheServer() {
		try (RedisServer server = RedisServer.builder().arguments("--maxmemory", "12mb").build().start()) {
			assertThat(server.cli("CONFIG", "GET", "maxmemory")).isEqualTo(List.of("maxmemory", "12582912"));
		}
	}

	@Test
	void startFailsWithTheServersLogWhenTheConfigurationIsWrong() {
		try (RedisServer server = RedisServer.builder().arguments("--no-such-setting", "1").build()) {
			assertThatIllegalStateException().isThrownBy(server::start)
				.withMessageContaining("did not start")
				.withMessageContaining("no-such-setting");
		}
	}

	@Test
	void closeEndsAPausedServerAndDeletesItsFolder() {
		RedisServer server = RedisServer.startNew();
		assertThat(server.directory()).isDirectory();
		server.pause();
		server.close();
		assertThat(server.isRunning()).isFalse();
		assertThat(Files.exists(server.directory())).isFalse();
		server.close();
	}

	@Test
	void embeddedBinaryIsExecutable() throws Exception {
		Process process = new ProcessBuilder(RedisBinary.embedded().toString(), "--version").start();
		assertThat(new String(process.getInputStream().readAllBytes())).startsWith("Redis server v=");
		assertThat(process.waitFor()).isZero();
	}

}
