package io.github.delayqueue.failover;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfigBuilderCustomizer;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** By Jedis: a pool for producers, and one for consumers that these cannot use up. */
final class JedisConnections extends OwnConnections {

	/** Not in Spring Data Redis 3, which has no other kind of client. */
	static final boolean UNIFIED = ClassUtils.hasMethod(JedisConnectionFactory.class, "setUseUnifiedJedis",
			boolean.class);

	private final JedisConnectionFactory application;

	JedisConnections(JedisConnectionFactory application, Duration commandTimeout) {
		// a connection that had a subscription must not come back to a pool: what the
		// server still sends to it would be taken for the reply to the next command
		this(application, commandTimeout, derive(application, commandTimeout, true),
				derive(application, commandTimeout, true), derive(application, commandTimeout, false));
	}

	private JedisConnections(JedisConnectionFactory application, Duration commandTimeout,
			JedisConnectionFactory commands, JedisConnectionFactory consumption, JedisConnectionFactory subscriptions) {
		super(commands, consumption, subscriptions, commandTimeout, List.of(commands, consumption, subscriptions));
		this.application = application;
		start();
	}

	/**
	 * Derive a factory. Waiting for a connection of its pool and for an answer take no
	 * longer together than the timeout.
	 * @param pooled whether connections are pooled as the application's are, or closed
	 * after use; Sentinel and Cluster have a pool in any case, which keeps none then
	 */
	static JedisConnectionFactory derive(JedisConnectionFactory application, Duration commandTimeout, boolean pooled) {
		JedisClientConfiguration client = application.getClientConfiguration();
		GenericObjectPoolConfig<?> pool = client.getPoolConfig()
			.<GenericObjectPoolConfig<?>>map(GenericObjectPoolConfig::clone)
			.orElseGet(GenericObjectPoolConfig::new);
		pool.setBlockWhenExhausted(true);
		pool.setMaxWait(poolWait(commandTimeout));
		if (!pooled) {
			pool.setMaxIdle(0);
		}
		return create(application, settings(client, answerTimeout(commandTimeout), pooled, pool));
	}

	/** The driver cannot be told what is left of the time after waiting for the pool. */
	private static Duration poolWait(Duration commandTimeout) {
		return commandTimeout.dividedBy(4);
	}

	@Override
	public Duration answerTimeout() {
		return answerTimeout(commandTimeout());
	}

	/** How long an answer is waited for, once there is a connection. */
	private static Duration answerTimeout(Duration commandTimeout) {
		return commandTimeout.minus(poolWait(commandTimeout));
	}

	private static JedisConnectionFactory create(JedisConnectionFactory application, JedisClientConfiguration client) {
		RedisClusterConfiguration cluster = application.getClusterConfiguration();
		if (cluster != null) {
			return new JedisConnectionFactory(tryingOnce(cluster), client);
		}
		RedisSentinelConfiguration sentinel = application.getSentinelConfiguration();
		return (sentinel != null) ? new JedisConnectionFactory(sentinel, client)
				: new JedisConnectionFactory(Objects.requireNonNull(application.getStandaloneConfiguration()), client);
	}

	/**
	 * The driver's attempts are for redirections, but it uses them for whatever fails: a
	 * step whose answer is late it would send again, and one that was carried out twice
	 * answers something else than one that was carried out once.
	 */
	private static RedisClusterConfiguration tryingOnce(RedisClusterConfiguration application) {
		RedisClusterConfiguration cluster = new RedisClusterConfiguration();
		application.getClusterNodes().forEach(cluster::addClusterNode);
		cluster.setMaxRedirects(1);
		cluster.setUsername(application.getUsername());
		cluster.setPassword(application.getPassword());
		return cluster;
	}

	@Override
	RedisConnectionFactory deriveUnshared(@Nullable RedisNode node) {
		JedisClientConfiguration client = settings(this.application.getClientConfiguration(), commandTimeout(), false,
				unsharedPool());
		JedisConnectionFactory factory = (node != null)
				? new JedisConnectionFactory(standalone(node, this.application.getClusterConfiguration()), client)
				: create(this.application, client);
		if (UNIFIED) {
			// a client of the unified kind takes another connection for each command
			factory.setUseUnifiedJedis(false);
		}
		return factory;
	}

	/** The driver leaves a pool that could not start registered, one for each attempt. */
	static GenericObjectPoolConfig<?> unsharedPool() {
		GenericObjectPoolConfig<?> pool = new GenericObjectPoolConfig<>();
		pool.setMaxTotal(UnsharedConnections.MAX);
		pool.setMaxIdle(0);
		pool.setJmxEnabled(false);
		return pool;
	}

	/** Addresses that nodes have for each other are what the connection itself tells. */
	@Override
	public List<RedisNode> nodes(RedisClusterConnection connection) {
		Object client = connection.getNativeConnection();
		Method nodes = ReflectionUtils.findMethod(client.getClass(), DriverRuntimeHints.NODES);
		if (nodes == null) {
			return super.nodes(connection);
		}
		Map<?, ?> byAddress = (Map<?, ?>) Objects.requireNonNull(ReflectionUtils.invokeMethod(nodes, client));
		return byAddress.keySet().stream().map(String::valueOf).map(JedisConnections::node).toList();
	}

	private static RedisNode node(String address) {
		int port = address.lastIndexOf(':');
		return new RedisNode(address.substring(0, port), Integer.parseInt(address.substring(port + 1)));
	}

	@Override
	public long waitForReplicas(RedisConnection connection, int replicas, long millis) {
		Object reply = connection.execute("WAIT", text(replicas), text(millis));
		return (Long) Objects.requireNonNull(reply);
	}

	/** The application's, with our timeouts; pooled only if that is. */
	private static JedisClientConfiguration settings(JedisClientConfiguration application, Duration timeout,
			boolean pooled, GenericObjectPoolConfig<?> pool) {
		Optional<JedisClientConfigBuilderCustomizer> customizer = Optional.of(customizer(application));
		// the customizer has another name in Spring Data Redis 3
		return view(JedisClientConfiguration.class, application,
				Map.of("getReadTimeout", timeout, "getConnectTimeout", timeout, "getClientConfigCustomizer", customizer,
						"getCustomizer", customizer, "isUsePooling", pooled && application.isUsePooling(),
						"getPoolConfig", Optional.of(pool)));
	}

	/**
	 * By itself the driver waits for messages without end, whoever is silent. The method
	 * that is called has this name in Spring Data Redis 3, and is still there in 4.
	 */
	@SuppressWarnings("deprecation")
	private static JedisClientConfigBuilderCustomizer customizer(JedisClientConfiguration application) {
		return (builder) -> {
			application.getCustomizer().ifPresent((customizer) -> customizer.customize(builder));
			builder.blockingSocketTimeoutMillis(Math.toIntExact(SILENCE_LIMIT.toMillis()));
		};
	}

}
