package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.serializer.RedisSerializer;

import io.github.delayqueue.DelayQueueException;

/**
 * Connections of the delay queue's own, derived from the application's connection
 * factory: same server, credentials and TLS, but a command time-out of its own, commands
 * refused instead of queued while disconnected (a claim that is carried out after its
 * caller has given up would hold tasks for nobody), and quick reconnection.
 * <p>
 * A factory of a class that is not known here is used as it is.
 */
final class OwnConnections {

	private static final Logger logger = LoggerFactory.getLogger(OwnConnections.class);

	private final RedisConnectionFactory application;

	private final Duration commandTimeout;

	private final RedisTemplate<byte[], byte[]> commands;

	private final RedisTemplate<byte[], byte[]> consumption;

	private final RedisConnectionFactory subscriptions;

	/** Connections that are not shared, by node of a cluster; made when first needed. */
	private final Map<String, UnsharedConnections> unshared = new ConcurrentHashMap<>();

	/** What is ours to start, stop and destroy: empty where the application's is used. */
	private final Set<RedisConnectionFactory> own = new LinkedHashSet<>();

	/** {@code null} where the driver needs none, or the application's is used. */
	private final @Nullable LettuceRecovery recovery;

	private volatile boolean stopped;

	private volatile boolean closed;

	private volatile Runnable onRecovery = () -> {
	};

	OwnConnections(RedisConnectionFactory application, Duration commandTimeout) {
		this.application = application;
		this.commandTimeout = commandTimeout;
		RedisConnectionFactory forCommands;
		RedisConnectionFactory forConsumption;
		if (application.getClass() == LettuceConnectionFactory.class) {
			forCommands = LettuceConnections.derive(application, commandTimeout);
			forConsumption = forCommands;
			this.subscriptions = LettuceConnections.subscriptions(application, forCommands, commandTimeout);
			this.recovery = new LettuceRecovery(forCommands, commandTimeout, this::recovered);
			this.own.add(forCommands);
			this.own.addAll((this.subscriptions instanceof PrimarySubscriptions primary) ? primary.nodes()
					: List.of(this.subscriptions));
		}
		else if (application.getClass() == JedisConnectionFactory.class) {
			forCommands = JedisConnections.derive(application, commandTimeout, true);
			forConsumption = JedisConnections.derive(application, commandTimeout, true);
			// a connection that had a subscription must not come back to a pool: what the
			// server still sends to it would be taken for the reply to the next command
			this.subscriptions = JedisConnections.derive(application, commandTimeout, false);
			this.recovery = null;
			this.own.addAll(List.of(forCommands, forConsumption, this.subscriptions));
		}
		else {
			logger.warn(
					"The delay queue uses the application's {} as it is: delay-queue.command-timeout has no effect, "
							+ "set a timeout there, well below the lease duration of the listeners",
					application.getClass().getName());
			forCommands = new ApplicationConnections(application);
			forConsumption = forCommands;
			this.subscriptions = application;
			this.recovery = null;
		}
		this.commands = template(forCommands);
		this.consumption = (forConsumption == forCommands) ? this.commands : template(forConsumption);
		this.own.forEach(UnsharedConnections::initialize);
		start();
	}

	/**
	 * All that is sent are bytes, so the application's template and its serializers do
	 * not matter. Callbacks get the connection itself, without a proxy for each call.
	 */
	private static RedisTemplate<byte[], byte[]> template(RedisConnectionFactory factory) {
		RedisTemplate<byte[], byte[]> template = new RedisTemplate<>();
		template.setConnectionFactory(factory);
		template.setDefaultSerializer(RedisSerializer.byteArray());
		template.setExposeConnection(true);
		template.afterPropertiesSet();
		return template;
	}

	/** For commands. */
	RedisTemplate<byte[], byte[]> commands() {
		return this.commands;
	}

	/**
	 * For claims, settlements and extensions: connections that no producer can use up,
	 * where the driver has a pool of them. Else the same as {@link #commands()}.
	 */
	RedisTemplate<byte[], byte[]> consumption() {
		return this.consumption;
	}

	Duration commandTimeout() {
		return this.commandTimeout;
	}

	/** The command time-out, or what waiting for a connection of a pool leaves of it. */
	Duration answerTimeout() {
		boolean shared = this.recovery != null || this.own.isEmpty();
		return shared ? this.commandTimeout : JedisConnections.answerTimeout(this.commandTimeout);
	}

	/**
	 * For commands that must go over one and the same connection, or that block it.
	 * @param node the node of the cluster to connect to, {@code null} if there is none
	 * @return {@code null} if the application's factory is not of a known class
	 */
	@Nullable UnsharedConnections unshared(@Nullable RedisNode node, long now) {
		open();
		String name = (node != null) ? node.asString() : "";
		UnsharedConnections known = this.unshared.get(name);
		if (known != null) {
			return known;
		}
		synchronized (this) {
			open();
			closeUnused(now);
			return this.unshared.computeIfAbsent(name, (key) -> createUnshared(node));
		}
	}

	/** Nodes of a cluster come and go, each under an address of its own. */
	private void closeUnused(long now) {
		this.unshared.values().removeIf((connections) -> {
			boolean unused = connections.isUnused(now);
			if (unused) {
				connections.close();
			}
			return unused;
		});
	}

	private @Nullable UnsharedConnections createUnshared(@Nullable RedisNode node) {
		if (this.own.isEmpty()) {
			return null;
		}
		return new UnsharedConnections(
				(this.recovery != null) ? LettuceConnections.deriveUnshared(this.application, this.commandTimeout, node)
						: JedisConnections.deriveUnshared(this.application, this.commandTimeout, node));
	}

	/**
	 * Wait until replicas have what a connection that is not shared has written.
	 * @param millis how long at most, more than zero
	 */
	long waitForReplicas(RedisConnection connection, int replicas, long millis) {
		return (this.recovery != null) ? LettuceConnections.waitForReplicas(connection, replicas, millis)
				: JedisConnections.waitForReplicas(connection, replicas, millis);
	}

	/** The nodes of a cluster, by the addresses by which the driver reaches them. */
	List<RedisNode> nodes(RedisClusterConnection connection) {
		List<RedisNode> known = (this.recovery == null && !this.own.isEmpty()) ? JedisConnections.nodes(connection)
				: null;
		List<RedisNode> nodes = new ArrayList<>();
		((known != null) ? known : connection.clusterGetNodes()).forEach(nodes::add);
		return nodes;
	}

	/**
	 * Whether the application's reads, not ours, are routed to replicas; {@code null} if
	 * its factory is not of a known class.
	 */
	@Nullable Boolean readsFromReplicas() {
		if (this.own.isEmpty()) {
			return null;
		}
		return this.recovery != null && LettuceConnections.readsFromReplicas(this.application);
	}

	/** For subscriptions. */
	RedisConnectionFactory subscriptions() {
		return this.subscriptions;
	}

	/** See {@link LettuceRecovery#suspect}. */
	void suspect(boolean silent) {
		if (this.recovery != null && !this.stopped) {
			this.recovery.suspect(silent);
		}
	}

	/**
	 * Use the connection of {@link #commands()}, which is not exchanged until
	 * {@link #release}, by the same thread.
	 */
	void hold() {
		if (this.recovery != null) {
			this.recovery.hold();
		}
	}

	void release() {
		if (this.recovery != null) {
			this.recovery.release();
		}
	}

	/** Whether scripts can be sent without waiting for their replies. */
	boolean isAsynchronous() {
		return this.recovery != null;
	}

	/**
	 * Wait for the connection of {@link #commands()} where all threads share it, no
	 * longer than the command time-out.
	 * @throws org.springframework.dao.DataAccessException if there is none by then
	 */
	void connect() {
		if (this.recovery != null) {
			this.recovery.connect();
		}
	}

	private void recovered() {
		this.unshared.values().forEach(UnsharedConnections::renew);
		this.onRecovery.run();
	}

	/** When commands have got other connections, possibly to another server. */
	void onRecovery(Runnable action) {
		this.onRecovery = action;
	}

	/**
	 * Make sure that there are connections: handlers may end, and beans may schedule
	 * while they are destroyed, after the phase of the context's stop in which ours are
	 * closed.
	 */
	void open() {
		if (this.stopped) {
			synchronized (this) {
				if (this.closed) {
					throw new DelayQueueException(null, null,
							"The application has ended, and with it the connections of the delay queue");
				}
				start();
			}
		}
	}

	synchronized void start() {
		this.stopped = false;
		lifecycles().filter((lifecycle) -> !lifecycle.isRunning()).forEach(SmartLifecycle::start);
		if (this.recovery != null) {
			this.recovery.start();
		}
	}

	synchronized void stop() {
		this.stopped = true;
		lifecycles().forEach(SmartLifecycle::stop);
		if (this.recovery != null) {
			this.recovery.forget();
		}
		closeUnshared();
	}

	boolean isRunning() {
		return lifecycles().allMatch(SmartLifecycle::isRunning);
	}

	private void closeUnshared() {
		this.unshared.values().forEach(UnsharedConnections::close);
		this.unshared.clear();
	}

	private Stream<SmartLifecycle> lifecycles() {
		return this.own.stream().filter(SmartLifecycle.class::isInstance).map(SmartLifecycle.class::cast);
	}

	synchronized void close() {
		this.stopped = true;
		this.closed = true;
		closeUnshared();
		this.own.forEach(UnsharedConnections::destroy);
	}

}
