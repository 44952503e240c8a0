package io.github.delayqueue.sample.redis;

import java.nio.file.Path;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * The embedded Redis and a template that is connected to it, for tests that need no
 * application. Public for the tests of other packages.
 */
public final class TemporaryRedis implements AutoCloseable {

	private final EmbeddedRedis redis;

	private final LettuceConnectionFactory connectionFactory;

	private TemporaryRedis(EmbeddedRedis redis) {
		this.redis = redis;
		this.connectionFactory = new LettuceConnectionFactory(redis.host(), redis.port());
		this.connectionFactory.afterPropertiesSet();
		this.connectionFactory.start();
	}

	public static TemporaryRedis start(Path folder) {
		return new TemporaryRedis(EmbeddedRedis.start(folder, 0));
	}

	public StringRedisTemplate template() {
		return new StringRedisTemplate(this.connectionFactory);
	}

	@Override
	public void close() {
		this.connectionFactory.destroy();
		this.redis.close();
	}

}
