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

	/**
	 * Derive a factory.
	 * @param application the application's
	 * @param commandTimeout our command time-out
	 * @param pooled whether connections are pooled as the application's are, or closed
	 * after use where the driver can do that; Sentinel and Cluster have a pool in any
	 * case, but one of this factory's own
	 * @return the factory, {@code null} if the application's is not of a known class
	 */
	static @Nullable RedisConnectionFactory derive(RedisConnectionFactory application, Duration commandTimeout,
			boolean pooled) {
		if (application.getClass() != JedisConnectionFactory.class) {
			return null;
		}
		JedisConnectionFactory jedis = (JedisConnectionFactory) application;
		JedisClientConfiguration client = new OwnClientConfiguration(jedis.getClientConfiguration(), commandTimeout,
				pooled);
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
	 * @param pooled whether connections are pooled if the application's are
	 */
	private record OwnClientConfiguration(JedisClientConfiguration application, Duration timeout,
			boolean pooled) implements JedisClientConfiguration {

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
			return this.pooled && this.application.isUsePooling();
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
