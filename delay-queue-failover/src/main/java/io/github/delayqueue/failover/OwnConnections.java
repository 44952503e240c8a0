package io.github.delayqueue.failover;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.util.ReflectionUtils;

import io.github.delayqueue.store.redis.RedisConnections;

/**
 * Connections of the delay queue's own, derived from the application's connection
 * factory: same server, credentials and TLS, but a command timeout of its own, and quick
 * reconnection. Commands are refused instead of queued while disconnected: a claim that
 * is carried out after its caller has given up would hold tasks for nobody. Thread-safe.
 */
public abstract class OwnConnections extends RedisConnections {

	/** Connections that are not shared, by node of a cluster; made when first needed. */
	private final Map<String, UnsharedConnections> unshared = new ConcurrentHashMap<>();

	/** What is to be started, stopped and destroyed. */
	private final List<RedisConnectionFactory> factories;

	OwnConnections(RedisConnectionFactory commands, RedisConnectionFactory consumption,
			RedisConnectionFactory subscriptions, Duration commandTimeout, List<RedisConnectionFactory> factories) {
		super(commands, consumption, subscriptions, commandTimeout);
		this.factories = factories;
		factories.forEach(UnsharedConnections::initialize);
	}

	/**
	 * For commands that must go over one and the same connection, or that block it.
	 * @param node the node of the cluster to connect to, {@code null} if there is none
	 */
	public final UnsharedConnections unshared(@Nullable RedisNode node, long now) {
		open();
		String name = (node != null) ? node.asString() : "";
		UnsharedConnections known = this.unshared.get(name);
		if (known != null) {
			return known;
		}
		synchronized (this) {
			open();
			// nodes of a cluster come and go, each under an address of its own
			this.unshared.values().removeIf((connections) -> connections.closeIfUnused(now));
			return this.unshared.computeIfAbsent(name, (key) -> new UnsharedConnections(() -> deriveUnshared(node)));
		}
	}

	/** One that makes a connection for each caller, not to come back once broken. */
	abstract RedisConnectionFactory deriveUnshared(@Nullable RedisNode node);

	/**
	 * Settings of a driver as the application has made them, but for what some methods
	 * answer. {@link DriverRuntimeHints} has to know the type.
	 */
	static <T> T view(Class<T> type, T application, Map<String, Object> others) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				(view, method, arguments) -> others.containsKey(method.getName()) ? others.get(method.getName())
						: ReflectionUtils.invokeMethod(method, application, arguments)));
	}

	/** How to connect to a node as if it were a single server. */
	static RedisStandaloneConfiguration standalone(RedisNode node, @Nullable RedisConfiguration cluster) {
		RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration(
				Objects.requireNonNull(node.getHost()), Objects.requireNonNull(node.getPort()));
		if (cluster instanceof RedisConfiguration.WithAuthentication credentials) {
			configuration.setUsername(credentials.getUsername());
			configuration.setPassword(credentials.getPassword());
		}
		return configuration;
	}

	/**
	 * Wait until replicas have what a connection that is not shared has written.
	 * @param millis how long at most, more than zero
	 * @return how many of them have it
	 */
	public abstract long waitForReplicas(RedisConnection connection, int replicas, long millis);

	static byte[] text(long number) {
		return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
	}

	/** The nodes of a cluster, by the addresses by which the driver reaches them. */
	public List<RedisNode> nodes(RedisClusterConnection connection) {
		List<RedisNode> nodes = new ArrayList<>();
		connection.clusterCommands().clusterGetNodes().forEach(nodes::add);
		return nodes;
	}

	/** Whether the application's reads, not ours, are routed to replicas. */
	boolean readsFromReplicas() {
		return false;
	}

	@Override
	protected void recovered() {
		this.unshared.values().forEach(UnsharedConnections::renew);
		super.recovered();
	}

	@Override
	protected synchronized void start() {
		lifecycles().filter((lifecycle) -> !lifecycle.isRunning()).forEach(SmartLifecycle::start);
		// last: from then on other threads use them without the lock
		super.start();
	}

	@Override
	protected synchronized void stop() {
		super.stop();
		lifecycles().forEach(SmartLifecycle::stop);
		closeUnshared();
	}

	private Stream<SmartLifecycle> lifecycles() {
		return this.factories.stream().filter(SmartLifecycle.class::isInstance).map(SmartLifecycle.class::cast);
	}

	private void closeUnshared() {
		this.unshared.values().forEach(UnsharedConnections::close);
		this.unshared.clear();
	}

	@Override
	public synchronized void close() {
		super.close();
		closeUnshared();
		this.factories.forEach(UnsharedConnections::destroy);
	}

}
