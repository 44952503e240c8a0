package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.RedisSystemException;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceExceptionConverter;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;

/**
 * Derives connections of our own from a {@link LettuceConnectionFactory}.
 */
final class LettuceConnections {

	static final String CLIENT = "io.lettuce.core.RedisClient";

	/** Not stateful: the attempts of several connections may share it. */
	private static final Delay RECONNECT_DELAY = Delay.exponential(Duration.ofMillis(1), Duration.ofSeconds(1), 2,
			TimeUnit.MILLISECONDS);

	/** Classes with fields that are read here and in {@link LettuceRecovery}. */
	static final List<String> READ_BY_FIELD = List
		.of("org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory", CLIENT);

	private LettuceConnections() {
	}

	/**
	 * Derive a factory whose connection all threads share.
	 * @param commandTimeout our command time-out
	 * @return the factory, {@code null} if the application's is not of a known class
	 */
	static @Nullable RedisConnectionFactory derive(RedisConnectionFactory application, Duration commandTimeout) {
		RedisConfiguration configuration = configuration(application);
		return (configuration != null) ? create(application, configuration, commandTimeout, true) : null;
	}

	/**
	 * Find the factory for subscriptions.
	 * @param commands the one for commands
	 * @param commandTimeout our command time-out
	 * @return that for commands, if it has subscriptions
	 */
	static RedisConnectionFactory subscriptions(RedisConnectionFactory application, RedisConnectionFactory commands,
			Duration commandTimeout) {
		if (!(configuration(application) instanceof RedisStaticMasterReplicaConfiguration servers)) {
			return commands;
		}
		return new PrimarySubscriptions(servers, servers.getNodes().stream().map((node) -> {
			LettuceConnectionFactory factory = create(application, node, commandTimeout, true);
			factory.setShareNativeConnection(false);
			return factory;
		}).toList());
	}

	/**
	 * Derive a factory that makes a connection for each caller, which does not come back
	 * by itself once it is broken.
	 * @param commandTimeout our command time-out
	 * @param node the node of the cluster to connect to, {@code null} if there is none
	 * @return the factory, {@code null} if the application's is not of a known class
	 */
	static @Nullable RedisConnectionFactory deriveUnshared(RedisConnectionFactory application, Duration commandTimeout,
			@Nullable RedisNode node) {
		RedisConfiguration configuration = configuration(application);
		if (configuration == null) {
			return null;
		}
		LettuceConnectionFactory factory = create(application,
				(node != null) ? ClusterNodes.standalone(node, configuration) : configuration, commandTimeout, false);
		factory.setShareNativeConnection(false);
		return factory;
	}

	private static LettuceConnectionFactory create(RedisConnectionFactory application, RedisConfiguration configuration,
			Duration commandTimeout, boolean shared) {
		LettuceConnectionFactory lettuce = (LettuceConnectionFactory) application;
		boolean cluster = configuration instanceof RedisConfiguration.ClusterConfiguration;
		return new LettuceConnectionFactory(configuration,
				new LettuceClientSettings(lettuce.getClientConfiguration(), cluster, commandTimeout, shared));
	}

	private static @Nullable RedisConfiguration configuration(RedisConnectionFactory application) {
		if (application.getClass() != LettuceConnectionFactory.class) {
			return null;
		}
		// there is no accessor that covers all kinds of configuration
		Object configuration = new DirectFieldAccessor(application).getPropertyValue("configuration");
		return (configuration instanceof RedisConfiguration redisConfiguration) ? redisConfiguration : null;
	}

	/**
	 * Whether a factory routes reads to replicas.
	 * @return whether it does
	 */
	static boolean readsFromReplicas(RedisConnectionFactory application) {
		return application instanceof LettuceConnectionFactory lettuce && lettuce.getClientConfiguration()
			.getReadFrom()
			.filter((from) -> from != ReadFrom.UPSTREAM)
			.isPresent();
	}

	/**
	 * Wait until replicas have what the connection has written.
	 * @param connection a connection of Lettuce
	 * @param replicas how many
	 * @param millis how long at most
	 * @return how many have
	 */
	static long waitForReplicas(RedisConnection connection, int replicas, long millis) {
		// without the type of the output it would be taken for bytes
		Object reply = ((LettuceConnection) connection).execute("WAIT", new IntegerOutput<>(ByteArrayCodec.INSTANCE),
				Arguments.bytes(Integer.toString(replicas)), Arguments.bytes(Long.toString(millis)));
		return (Long) Objects.requireNonNull(reply);
	}

	/**
	 * Send a script over the connection that all threads share, without waiting.
	 * @param derived has the connection
	 * @param timeout how long to wait for the reply
	 * @param keys how many keys it has
	 * @return waits for the reply and gives it, or throws a {@link DataAccessException}
	 */
	static Supplier<List<?>> sendAhead(RedisConnectionFactory derived, Duration timeout, String sha1, int keys,
			byte[][] keysAndArguments) {
		RedisFuture<List<?>> reply = send(commands(derived), sha1, keys, keysAndArguments);
		return () -> {
			try {
				return LettuceFutures.awaitOrCancel(reply, timeout.toNanos(), TimeUnit.NANOSECONDS);
			}
			catch (RuntimeException ex) {
				throw translate(ex);
			}
		};
	}

	/**
	 * What sends scripts over the connection that all threads share: as long as that is
	 * not exchanged.
	 * @param derived has the connection
	 * @return can be used by threads of the driver, too
	 */
	static ScriptSender sender(RedisConnectionFactory derived) {
		RedisClusterAsyncCommands<byte[], byte[]> commands = commands(derived);
		return (script, keys, keysAndArguments) -> send(commands, script.getSha1(), keys, keysAndArguments)
			.toCompletableFuture();
	}

	private static RedisClusterAsyncCommands<byte[], byte[]> commands(RedisConnectionFactory derived) {
		try (LettuceConnection connection = (LettuceConnection) derived.getConnection()) {
			return connection.getNativeConnection();
		}
	}

	private static RedisFuture<List<?>> send(RedisClusterAsyncCommands<byte[], byte[]> commands, String sha1, int keys,
			byte[][] keysAndArguments) {
		return commands.evalsha(sha1, ScriptOutputType.MULTI, Arrays.copyOf(keysAndArguments, keys),
				Arrays.copyOfRange(keysAndArguments, keys, keysAndArguments.length));
	}

	/**
	 * Make of the driver's errors what Spring makes of them.
	 * @param error the driver's
	 * @return the error in terms of Spring
	 */
	static DataAccessException translate(Exception error) {
		if (error instanceof CancellationException) {
			return new RedisConnectionFailureException("Connection closed with a call under way", error);
		}
		DataAccessException translated = new LettuceExceptionConverter()
			.convert((error instanceof RuntimeException) ? error : new RedisException(error));
		return (translated != null) ? translated : new RedisSystemException("Redis cannot be asked", error);
	}

	/**
	 * The application's client configuration with our time-out and behaviour while
	 * disconnected. Not pooled: all threads share one connection and its pipeline, or
	 * each gets one of its own.
	 *
	 * @param application the application's
	 * @param cluster whether it is for a cluster
	 * @param timeout our command time-out
	 * @param shared whether a connection is shared: one that is not does not connect
	 * again, because what it has written before is not known to its successor
	 */
	private record LettuceClientSettings(LettuceClientConfiguration application, boolean cluster, Duration timeout,
			boolean shared) implements LettuceClientConfiguration {

		@Override
		public Duration getCommandTimeout() {
			return this.timeout;
		}

		@Override
		public Optional<ClientOptions> getClientOptions() {
			ClientOptions options = this.application.getClientOptions().orElseGet(ClientOptions::create);
			ClientOptions own = LettuceOptions.derive(options, this.cluster, this.timeout);
			return Optional.of(this.shared ? own : own.mutate().autoReconnect(false).build());
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
