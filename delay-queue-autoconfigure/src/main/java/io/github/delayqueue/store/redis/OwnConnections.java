package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.ClassUtils;

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

	private final RedisConnectionFactory commands;

	private final RedisConnectionFactory subscriptions;

	/** What is ours to start, stop and destroy: empty where the application's is used. */
	private final Set<RedisConnectionFactory> own = new LinkedHashSet<>();

	private volatile boolean stopped;

	private volatile boolean closed;

	/** {@code null} where the driver needs none, or the application's is used. */
	private final @Nullable LettuceRecovery recovery;

	private volatile Runnable onRecovery = () -> {
	};

	OwnConnections(RedisConnectionFactory application, Duration commandTimeout) {
		ClassLoader classLoader = OwnConnections.class.getClassLoader();
		RedisConnectionFactory commands = null;
		RedisConnectionFactory subscriptions = null;
		LettuceRecovery recovery = null;
		if (ClassUtils.isPresent("io.lettuce.core.RedisClient", classLoader)) {
			commands = LettuceConnections.derive(application, commandTimeout);
			subscriptions = commands;
			if (commands != null) {
				recovery = LettuceConnections.recovery(commands, () -> this.onRecovery.run());
			}
		}
		if (commands == null && ClassUtils.isPresent("redis.clients.jedis.Jedis", classLoader)) {
			commands = JedisConnections.derive(application, commandTimeout, true);
			// a connection that had a subscription must not come back to a pool: what the
			// server still sends to it would be taken for the reply to the next command
			subscriptions = JedisConnections.derive(application, commandTimeout, false);
		}
		if (commands == null || subscriptions == null) {
			logger.warn(
					"The delay queue uses the application's {} as it is: delay-queue.command-timeout has no effect, "
							+ "set the time-out there, well below the ttr of the listeners",
					application.getClass().getName());
			this.commands = application;
			this.subscriptions = application;
			this.recovery = null;
			return;
		}
		this.recovery = recovery;
		this.commands = commands;
		this.subscriptions = subscriptions;
		this.own.add(commands);
		this.own.add(subscriptions);
		this.own.forEach(OwnConnections::initialize);
		start();
	}

	private static void initialize(RedisConnectionFactory factory) {
		if (factory instanceof InitializingBean bean) {
			try {
				bean.afterPropertiesSet();
			}
			catch (Exception ex) {
				throw new IllegalStateException("Connections of the delay queue cannot be set up", ex);
			}
		}
	}

	/**
	 * For commands.
	 * @return the factory
	 */
	RedisConnectionFactory commands() {
		return this.commands;
	}

	/**
	 * For subscriptions.
	 * @return the factory
	 */
	RedisConnectionFactory subscriptions() {
		return this.subscriptions;
	}

	/**
	 * Say that the connection may be useless although it is there.
	 * @param silent whether nothing was answered; else an answer was not that of a
	 * primary in order
	 */
	void suspect(boolean silent) {
		if (this.recovery != null && !this.stopped) {
			this.recovery.suspect(silent);
		}
	}

	/**
	 * Set what to do when commands have got other connections than before, possibly to
	 * another server.
	 * @param action the action
	 */
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
	}

	synchronized void stop() {
		this.stopped = true;
		lifecycles().forEach(SmartLifecycle::stop);
	}

	boolean isRunning() {
		return lifecycles().allMatch(SmartLifecycle::isRunning);
	}

	private Stream<SmartLifecycle> lifecycles() {
		return this.own.stream().filter(SmartLifecycle.class::isInstance).map(SmartLifecycle.class::cast);
	}

	synchronized void close() {
		this.stopped = true;
		this.closed = true;
		for (RedisConnectionFactory factory : this.own) {
			if (factory instanceof DisposableBean bean) {
				try {
					bean.destroy();
				}
				catch (Exception ex) {
					logger.warn("Connections of the delay queue could not be closed", ex);
				}
			}
		}
	}

}
