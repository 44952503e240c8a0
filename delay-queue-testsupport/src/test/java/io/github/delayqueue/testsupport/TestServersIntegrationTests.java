package io.github.delayqueue.testsupport;

import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

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
	void valkeyIsNotTakenForTheRedisItIsLike() {
		assertThat(TestServer.nameOf(Map.of("redis_version", "7.2.4", "valkey_version", "9.1.2")))
			.isEqualTo("Valkey 9.1.2");
	}

}
