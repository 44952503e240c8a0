package io.github.delayqueue.failover;

import java.lang.management.ManagementFactory;
import java.time.Duration;

import javax.management.ObjectName;

import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link UnsharedConnections}.
 */
class UnsharedConnectionsTests {

	/**
	 * A factory of Jedis whose start has failed once says ever after that it is starting.
	 */
	@Test
	void aSentinelThatIsAwayAtFirstUseIsAskedAgainAndLeavesNoPools() throws Exception {
		GenericObjectPoolConfig<?> pool = JedisConnections.unsharedPool();
		pool.setJmxNamePrefix("away");
		JedisClientConfiguration client = JedisClientConfiguration.builder().usePooling().poolConfig(pool).build();
		RedisSentinelConfiguration nobody = new RedisSentinelConfiguration().master("any").sentinel("127.0.0.1", 1);
		UnsharedConnections connections = new UnsharedConnections(() -> {
			JedisConnectionFactory factory = new JedisConnectionFactory(nobody, client);
			if (JedisConnections.UNIFIED) {
				factory.setUseUnifiedJedis(false);
			}
			return factory;
		});
		for (int i = 0; i < 3; i++) {
			assertThatExceptionOfType(RedisConnectionFailureException.class)
				.isThrownBy(() -> connections.with(Duration.ofSeconds(1), (connection) -> "connected"))
				.withStackTraceContaining("All sentinels down");
		}
		connections.close();
		ObjectName pools = new ObjectName("org.apache.commons.pool2:name=away*,*");
		assertThat(ManagementFactory.getPlatformMBeanServer().queryNames(pools, null)).isEmpty();
	}

}
