package io.github.delayqueue.testsupport;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@SelfTest
class RedisServerIntegrationTests {

	@Test
	void startFailsWithTheServersLogWhenTheConfigurationIsWrong() {
		try (RedisServer server = RedisServer.builder().arguments("--no-such-setting", "1").build()) {
			assertThatIllegalStateException().isThrownBy(server::start)
				.withMessageContaining("did not start")
				.withMessageContaining("no-such-setting");
		}
	}

	@Test
	void embeddedBinaryIsExecutable() throws Exception {
		Process process = new ProcessBuilder(RedisBinary.embedded().toString(), "--version").start();
		assertThat(new String(process.getInputStream().readAllBytes())).startsWith("Redis server v=");
		assertThat(process.waitFor()).isZero();
	}

}
