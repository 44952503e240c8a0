package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;

/**
 * Derives connections of our own from a {@link LettuceConnectionFactory}.
 */
final class LettuceConnections {

	/** Not stateful: the attempts of several connections may share it. */
	private static final Delay RECONNECT_DELAY = Delay.exponential(Duration.ofMillis(1), Duration.ofSeconds(1), 2,
			TimeUnit.MILLISECONDS);

	private LettuceConnections() {
	}

	static @Nullable RedisConnectionFactory derive(RedisConnectionFactory application, Duration commandTimeout) {
		if (application.getClass() != LettuceConnectionFactory.class) {
			return null;
		}
		LettuceConnectionFactory lettuce = (LettuceConnectionFactory) application;
		// there is no accessor that covers all kinds of configuration
		Object configuration = new DirectFieldAccessor(lettuce).getPropertyValue("configuration");
		if (!(configuration instanceof RedisConfiguration redisConfiguration)) {
			return null;
		}
		return new LettuceConnectionFactory(redisConfiguration,
				new OwnClientConfiguration(lettuce.getClientConfiguration(), lettuce.isClusterAware(), commandTimeout));
	}

	static LettuceRecovery recovery(RedisConnectionFactory derived, Runnable recovered) {
		return new LettuceRecovery((LettuceConnectionFactory) derived, recovered);
	}

	/**
	 * The application's client configuration with our time-out and behaviour while
	 * disconnected. Not pooled: all threads share one connection and its pipeline.
	 *
	 * @param application the application's
	 * @param cluster whether it is for a cluster
	 * @param timeout our command time-out
	 */
	private record OwnClientConfiguration(LettuceClientConfiguration application, boolean cluster,
			Duration timeout) implements LettuceClientConfiguration {

		@Override
		public Duration getCommandTimeout() {
			return this.timeout;
		}

		@Override
		public Optional<ClientOptions> getClientOptions() {
			ClientOptions options = this.application.getClientOptions().orElseGet(ClientOptions::create);
			return Optional.of(LettuceOptions.derive(options, this.cluster, this.timeout));
		}

		@Override
		public Optional<ClientResources> getClientResources() {
			return this.application.getClientResources()
				.map((resources) -> new OwnClientResources(resources, RECONNECT_DELAY));
		}

		@Override
		public boolean isUseSsl() {
			return this.application.isUseSsl();
		}

		@Override
		@Deprecated
		public boolean isVerifyPeer() {
			return this.application.isVerifyPeer();
		}

		@Override
		public SslVerifyMode getVerifyMode() {
			return this.application.getVerifyMode();
		}

		@Override
		public boolean isStartTls() {
			return this.application.isStartTls();
		}

		@Override
		public Optional<String> getClientName() {
			return this.application.getClientName();
		}

		/** Scripts go to the primary in any case. */
		@Override
		public Optional<ReadFrom> getReadFrom() {
			return Optional.empty();
		}

		@Override
		public Optional<RedisCredentialsProviderFactory> getRedisCredentialsProviderFactory() {
			return this.application.getRedisCredentialsProviderFactory();
		}

		@Override
		public Duration getShutdownTimeout() {
			return this.application.getShutdownTimeout();
		}

		@Override
		public Duration getShutdownQuietPeriod() {
			return this.application.getShutdownQuietPeriod();
		}

	}

}
