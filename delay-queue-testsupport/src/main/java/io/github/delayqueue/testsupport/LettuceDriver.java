package io.github.delayqueue.testsupport;

import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * All that needs Lettuce.
 */
final class LettuceDriver {

	private LettuceDriver() {
	}

	static LettuceConnectionFactory create(RedisConfiguration configuration, String clientName) {
		return (clientName.isEmpty()) ? new LettuceConnectionFactory(configuration) : new LettuceConnectionFactory(
				configuration, LettuceClientConfiguration.builder().clientName(clientName).build());
	}

}
