package io.github.delayqueue.benchmark;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class ServersTests {

	@Test
	void durableConnectionsAskForIt() {
		assertThat(servers("jdbc:postgresql://localhost/a?user=b").durablePostgres())
			.isEqualTo("jdbc:postgresql://localhost/a?user=b&options=-c%20synchronous_commit=on");
		assertThat(servers("jdbc:postgresql://localhost/a").durablePostgres())
			.isEqualTo("jdbc:postgresql://localhost/a?options=-c%20synchronous_commit=on");
	}

	@Test
	void runWithoutPostgresHasNone() {
		assertThatIllegalStateException().isThrownBy(() -> servers(null).durablePostgres());
	}

	private static Servers servers(String postgresUrl) {
		return new Servers("localhost", 6379, postgresUrl);
	}

}
