package io.github.delayqueue.testsupport;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration.JedisClientConfigurationBuilder;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * All that needs Jedis.
 */
final class JedisDriver {

	private JedisDriver() {
	}

	static JedisConnectionFactory create(RedisConfiguration configuration, String clientName) {
		JedisClientConfigurationBuilder client = JedisClientConfiguration.builder();
		if (!clientName.isEmpty()) {
			client.clientName(clientName);
		}
		if (configuration instanceof RedisSentinelConfiguration sentinel) {
			return new JedisConnectionFactory(sentinel, client.build());
		}
		return (configuration instanceof RedisClusterConfiguration cluster)
				? new JedisConnectionFactory(cluster, client.build())
				: new JedisConnectionFactory((RedisStandaloneConfiguration) configuration, client.build());
	}

}
