package io.github.delayqueue.failover;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.tracing.Tracing;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.util.StringUtils;

import io.github.delayqueue.store.redis.RedisErrors;
import io.github.delayqueue.store.redis.Script;
import io.github.delayqueue.store.redis.ScriptRunner;
import io.github.delayqueue.store.redis.ScriptSender;

/** Connections of our own by Lettuce: one for all threads, with its pipeline. */
final class LettuceConnections extends OwnConnections {

	/**
	 * Not stateful: the attempts of several connections may share it. Not longer, or an
	 * instance that was cut off for a moment would count as gone.
	 */
	private static final Delay RECONNECT_DELAY = Delay.exponential(Duration.ofMillis(1), Duration.ofMillis(250), 2,
			TimeUnit.MILLISECONDS);

	private final LettuceConnectionFactory application;

	private final LettuceRecovery recovery;

	static LettuceConnections of(LettuceConnectionFactory application, Duration commandTimeout) {
		LettuceConnectionFactory commands = create(application, configuration(application), commandTimeout, true);
		if (!(configuration(application) instanceof RedisStaticMasterReplicaConfiguration servers)) {
			return new LettuceConnections(application, commandTimeout, commands, commands, List.of(commands));
		}
		List<LettuceConnectionFactory> nodes = servers.getNodes().stream().map((node) -> {
			LettuceConnectionFactory factory = create(application, node, commandTimeout, true);
			factory.setShareNativeConnection(false);
			return factory;
		}).toList();
		List<RedisConnectionFactory> all = new ArrayList<>(List.of(commands));
		all.addAll(nodes);
		return new LettuceConnections(application, commandTimeout, commands, new PrimarySubscriptions(servers, nodes),
				all);
	}

	private LettuceConnections(LettuceConnectionFactory application, Duration commandTimeout,
			LettuceConnectionFactory commands, LettuceConnectionFactory subscriptions,
			List<RedisConnectionFactory> factories) {
		super(commands, commands, subscriptions, commandTimeout, factories);
		this.application = application;
		Runnable elsewhere = (subscriptions instanceof PrimarySubscriptions servers) ? servers::requirePrimary
				: () -> connect(commands);
		this.recovery = new LettuceRecovery(commands, commandTimeout, elsewhere, this::recovered);
		start();
	}

	/** Sentinels and name servers are asked again. */
	private static void connect(LettuceConnectionFactory factory) {
		((RedisClient) factory.getRequiredNativeClient()).connect(ByteArrayCodec.INSTANCE).close();
	}

	@Override
	RedisConnectionFactory deriveUnshared(@Nullable RedisNode node) {
		RedisConfiguration configuration = configuration(this.application);
		LettuceConnectionFactory factory = create(this.application,
				(node != null) ? standalone(node, configuration) : configuration, commandTimeout(), false);
		factory.setShareNativeConnection(false);
		return factory;
	}

	private static LettuceConnectionFactory create(LettuceConnectionFactory application,
			RedisConfiguration configuration, Duration commandTimeout, boolean shared) {
		boolean cluster = configuration instanceof RedisConfiguration.ClusterConfiguration;
		return new LettuceConnectionFactory(configuration,
				settings(application.getClientConfiguration(), cluster, commandTimeout, shared));
	}

	/** There is no accessor that covers all kinds of configuration. */
	private static RedisConfiguration configuration(LettuceConnectionFactory application) {
		return (RedisConfiguration) Objects
			.requireNonNull(new DirectFieldAccessor(application).getPropertyValue("configuration"));
	}

	@Override
	boolean readsFromReplicas() {
		return this.application.getClientConfiguration()
			.getReadFrom()
			.filter((from) -> from != ReadFrom.UPSTREAM)
			.isPresent();
	}

	@Override
	public Supplier<List<?>> ahead(Script script, @Nullable String queue,
			Function<ScriptSender, CompletableFuture<List<?>>> send, Supplier<List<?>> alone) {
		open();
		long giveUpAt = System.nanoTime() + commandTimeout().toNanos();
		hold();
		try {
			connect();
			CompletableFuture<List<?>> sent = Objects.requireNonNull(commands()
				.execute((RedisCallback<CompletableFuture<List<?>>>) (connection) -> send.apply(sender(connection))));
			return () -> await(sent, script, queue, giveUpAt, alone);
		}
		catch (DataAccessException ex) {
			return () -> await(CompletableFuture.failedFuture(ex), script, queue, giveUpAt, alone);
		}
		catch (RuntimeException | Error ex) {
			release();
			throw ex;
		}
	}

	private List<?> await(CompletableFuture<List<?>> sent, Script script, @Nullable String queue, long giveUpAt,
			Supplier<List<?>> alone) {
		try {
			return list(ScriptRunner.await(sent, commandTimeout(), errors()));
		}
		catch (DataAccessException ex) {
			suspect(ex);
			if (System.nanoTime() - giveUpAt >= 0
					|| !RedisErrors.isNotCarriedOut(ex) && !RedisErrors.isUnknownScript(ex)) {
				throw RedisErrors.translate(script.stepName(), queue, ex, commandTimeout());
			}
		}
		finally {
			release();
		}
		return alone.get();
	}

	@Override
	public void connect() {
		this.recovery.connect();
	}

	@Override
	public void hold() {
		this.recovery.hold();
	}

	@Override
	public void release() {
		this.recovery.release();
	}

	@Override
	public void suspect(boolean silent) {
		if (isRunning()) {
			this.recovery.suspect(silent);
		}
	}

	@Override
	protected synchronized void start() {
		super.start();
		this.recovery.start();
	}

	@Override
	protected synchronized void stop() {
		super.stop();
		this.recovery.forget();
	}

	@Override
	public long waitForReplicas(RedisConnection connection, int replicas, long millis) {
		// without the type of the output it would be taken for bytes
		Object reply = ((LettuceConnection) connection).execute("WAIT", new IntegerOutput<>(ByteArrayCodec.INSTANCE),
				text(replicas), text(millis));
		return (Long) Objects.requireNonNull(reply);
	}

	/**
	 * What sends scripts over the native connection, which all threads share. Threads of
	 * the driver can use it, too, as long as the connection is not exchanged.
	 */
	@Override
	public ScriptSender sender(RedisConnection connection) {
		RedisClusterAsyncCommands<byte[], byte[]> commands = ((LettuceConnection) connection).getNativeConnection();
		return (call) -> {
			try {
				return replies(commands.dispatch(CommandType.EVALSHA, new NestedMultiOutput<>(ByteArrayCodec.INSTANCE),
						new ScriptArguments(call)));
			}
			catch (RedisException ex) {
				// it is thrown, and not the reply, where the driver knows no primary
				return CompletableFuture.failedFuture(ex);
			}
		};
	}

	@SuppressWarnings("unchecked")
	private static CompletableFuture<List<?>> replies(RedisFuture<? extends List<?>> reply) {
		return (CompletableFuture<List<?>>) reply.toCompletableFuture();
	}

	/**
	 * The application's client configuration with our timeout and behaviour while
	 * disconnected. Not pooled: all threads share one connection and its pipeline, or
	 * each gets one of its own. Scripts go to the primary in any case.
	 * @param shared whether a connection is shared: one that is not does not connect
	 * again, because what it has written before is not known to its successor
	 */
	private static LettuceClientConfiguration settings(LettuceClientConfiguration application, boolean cluster,
			Duration timeout, boolean shared) {
		ClientOptions options = LettuceOptions.derive(application.getClientOptions().orElseGet(ClientOptions::create),
				cluster, timeout);
		return view(LettuceClientConfiguration.class, application,
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
		return view(ClientResources.class, application,
				Map.of("reconnectDelay", RECONNECT_DELAY, "tracing", Tracing.disabled()));
	}

}
