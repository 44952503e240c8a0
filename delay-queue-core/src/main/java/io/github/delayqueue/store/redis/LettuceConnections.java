package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.tracing.Tracing;
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
import org.springframework.util.StringUtils;

/**
 * Derives connections of our own from a {@link LettuceConnectionFactory}.
 */
final class LettuceConnections {

	static final String CLIENT = "io.lettuce.core.RedisClient";

	/**
	 * Not stateful: the attempts of several connections may share it. Not longer, or an
	 * instance that was cut off for a moment would count as gone.
	 */
	private static final Delay RECONNECT_DELAY = Delay.exponential(Duration.ofMillis(1), Duration.ofMillis(250), 2,
			TimeUnit.MILLISECONDS);

	private LettuceConnections() {
	}

	/** Derive a factory whose connection all threads share. */
	static RedisConnectionFactory derive(RedisConnectionFactory application, Duration commandTimeout) {
		return create(application, configuration(application), commandTimeout, true);
	}

	/** The factory for subscriptions: that for commands, if it has any. */
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
	 * @param node the node of the cluster to connect to, {@code null} if there is none
	 */
	static RedisConnectionFactory deriveUnshared(RedisConnectionFactory application, Duration commandTimeout,
			@Nullable RedisNode node) {
		RedisConfiguration configuration = configuration(application);
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
				settings(lettuce.getClientConfiguration(), cluster, commandTimeout, shared));
	}

	/** There is no accessor that covers all kinds of configuration. */
	private static RedisConfiguration configuration(RedisConnectionFactory application) {
		return (RedisConfiguration) Objects
			.requireNonNull(new DirectFieldAccessor(application).getPropertyValue("configuration"));
	}

	static boolean readsFromReplicas(RedisConnectionFactory application) {
		return application instanceof LettuceConnectionFactory lettuce && lettuce.getClientConfiguration()
			.getReadFrom()
			.filter((from) -> from != ReadFrom.UPSTREAM)
			.isPresent();
	}

	static long waitForReplicas(RedisConnection connection, int replicas, long millis) {
		// without the type of the output it would be taken for bytes
		Object reply = ((LettuceConnection) connection).execute("WAIT", new IntegerOutput<>(ByteArrayCodec.INSTANCE),
				RedisKeys.bytes(Integer.toString(replicas)), RedisKeys.bytes(Long.toString(millis)));
		return (Long) Objects.requireNonNull(reply);
	}

	/**
	 * What sends scripts over the native connection, which all threads share. Threads of
	 * the driver can use it, too, as long as the connection is not exchanged.
	 */
	static ScriptSender sender(RedisConnection connection) {
		RedisClusterAsyncCommands<byte[], byte[]> commands = ((LettuceConnection) connection).getNativeConnection();
		return (call) -> {
			byte[][] values = call.keysAndArguments();
			return commands
				.<List<?>>evalsha(call.script().sha1(), ScriptOutputType.MULTI, Arrays.copyOf(values, call.keys()),
						Arrays.copyOfRange(values, call.keys(), values.length))
				.toCompletableFuture();
		};
	}

	/** Make of the driver's errors what Spring makes of them. */
	static DataAccessException translate(Exception error) {
		if (error instanceof CancellationException) {
			return new RedisConnectionFailureException("Connection closed with a call under way", error);
		}
		DataAccessException translated = new LettuceExceptionConverter().convert(error);
		return (translated != null) ? translated : new RedisSystemException("Redis cannot be asked", error);
	}

	/**
	 * The application's client configuration with our time-out and behaviour while
	 * disconnected. Not pooled: all threads share one connection and its pipeline, or
	 * each gets one of its own. Scripts go to the primary in any case.
	 * @param shared whether a connection is shared: one that is not does not connect
	 * again, because what it has written before is not known to its successor
	 */
	private static LettuceClientConfiguration settings(LettuceClientConfiguration application, boolean cluster,
			Duration timeout, boolean shared) {
		ClientOptions options = LettuceOptions.derive(application.getClientOptions().orElseGet(ClientOptions::create),
				cluster, timeout);
		return SettingsView.of(LettuceClientConfiguration.class, application,
				Map.of("getClientResources", application.getClientResources().map(LettuceConnections::own),
						"getClientOptions",
						Optional.of(shared ? options : options.mutate().autoReconnect(false).build()), "getClientName",
						application.getClientName().filter(StringUtils::hasText), "getReadFrom", Optional.empty(),
						"getCommandTimeout", timeout));
	}

	/**
	 * The application's, threads included: {@link ClientResources#mutate()} would start
	 * threads of its own and, shut down, stop those it shares. Commands are not observed:
	 * each poll would be a trace of its own, and an observation for each command takes
	 * its time. The delay queue has meters of its own.
	 */
	private static ClientResources own(ClientResources application) {
		return SettingsView.of(ClientResources.class, application,
				Map.of("reconnectDelay", RECONNECT_DELAY, "tracing", Tracing.disabled()));
	}

}
