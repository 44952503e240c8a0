package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.Optional;

import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;

import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientBuilderCustomizer;
import org.springframework.data.redis.connection.jedis.JedisClientConfigBuilderCustomizer;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * Derives connections of our own from a {@link JedisConnectionFactory}.
 */
final class JedisConnections {

	private JedisConnections() {
	}

	static @Nullable RedisConnectionFactory derive(RedisConnectionFactory application, Duration commandTimeout) {
		if (application.getClass() != JedisConnectionFactory.class) {
			return null;
		}
		JedisConnectionFactory jedis = (JedisConnectionFactory) application;
		JedisClientConfiguration client = new OwnClientConfiguration(jedis.getClientConfiguration(), commandTimeout);
		if (jedis.isRedisClusterAware() && jedis.getClusterConfiguration() != null) {
			return new JedisConnectionFactory(jedis.getClusterConfiguration(), client);
		}
		if (jedis.isRedisSentinelAware() && jedis.getSentinelConfiguration() != null) {
			return new JedisConnectionFactory(jedis.getSentinelConfiguration(), client);
		}
		RedisStandaloneConfiguration standalone = jedis.getStandaloneConfiguration();
		return (standalone != null) ? new JedisConnectionFactory(standalone, client) : null;
	}

	/**
	 * The application's client configuration with our time-outs.
	 *
	 * @param application the application's
	 * @param timeout our command time-out
	 */
	private record OwnClientConfiguration(JedisClientConfiguration application,
			Duration timeout) implements JedisClientConfiguration {

		@Override
		public Duration getReadTimeout() {
			return this.timeout;
		}

		@Override
		public Duration getConnectTimeout() {
			return this.timeout;
		}

		@Override
		public Optional<JedisClientConfigBuilderCustomizer> getClientConfigCustomizer() {
			return this.application.getClientConfigCustomizer();
		}

		@Override
		public Optional<JedisClientBuilderCustomizer> getClientCustomizer() {
			return this.application.getClientCustomizer();
		}

		@Override
		public boolean isUseSsl() {
			return this.application.isUseSsl();
		}

		@Override
		public Optional<SSLSocketFactory> getSslSocketFactory() {
			return this.application.getSslSocketFactory();
		}

		@Override
		public Optional<SSLParameters> getSslParameters() {
			return this.application.getSslParameters();
		}

		@Override
		public Optional<HostnameVerifier> getHostnameVerifier() {
			return this.application.getHostnameVerifier();
		}

		@Override
		public boolean isUsePooling() {
			return this.application.isUsePooling();
		}

		@Override
		public Optional<GenericObjectPoolConfig<?>> getPoolConfig() {
			return this.application.getPoolConfig();
		}

		@Override
		public Optional<String> getClientName() {
			return this.application.getClientName();
		}

	}

}
