package io.github.delayqueue.failover;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link UnsharedConnections}.
 */
class UnsharedConnectionsTests {

	/**
	 * A factory of Jedis whose start has failed once says ever after that it is starting.
	 */
	@Test
	void aSentinelThatIsAwayAtFirstUseIsAskedAgain() {
		RedisSentinelConfiguration nobody = new RedisSentinelConfiguration().master("any").sentinel("127.0.0.1", 1);
		UnsharedConnections connections = new UnsharedConnections(() -> {
			JedisConnectionFactory factory = new JedisConnectionFactory(nobody);
			factory.setUseUnifiedJedis(false);
			return factory;
		});
		for (int i = 0; i < 3; i++) {
			assertThatExceptionOfType(RedisConnectionFailureException.class)
				.isThrownBy(() -> connections.with(Duration.ofSeconds(1), (connection) -> "connected"))
				.withStackTraceContaining("All sentinels down");
		}
		connections.close();
	}

}
