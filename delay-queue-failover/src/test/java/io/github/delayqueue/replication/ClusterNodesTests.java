package io.github.delayqueue.replication;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.data.redis.RedisSystemException;
import org.springframework.data.redis.connection.RedisNode;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link ClusterNodes}: what may stand in an answer that leads elsewhere.
 */
class ClusterNodesTests {

	@ParameterizedTest
	@CsvSource({ "MOVED 7 10.0.0.1:6379, 10.0.0.1:6379", "MOVED 7 :6379, asked:6379", "MOVED 7 a:b:6379, a:b:6379",
			"MOVED 7 10.0.0.1:65535, 10.0.0.1:65535", "MOVED 7 10.0.0.1:65536,", "MOVED 7 10.0.0.1:0,",
			"MOVED 7 10.0.0.1:99999999999999999999,", "MOVED 7 10.0.0.1:,", "MOVED 7,", "ERR no, " })
	void redirectionLeadsToAnAddressOrNowhere(String answer, @Nullable String address) {
		RedisNode node = new ClusterNodes(mock()).redirection(bytes("key"), new RedisNode("asked", 1),
				new RedisSystemException("Error", new IllegalStateException(answer)));
		assertThat((node != null) ? node.getHost() + ":" + node.getPort() : null).isEqualTo(address);
	}

}
