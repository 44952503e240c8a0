package io.github.delayqueue.store.redis;

import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.ClassUtils;

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

	private final RedisConnectionFactory factory;

	private final boolean derived;

	OwnConnections(RedisConnectionFactory applicationFactory, Duration commandTimeout) {
		RedisConnectionFactory own = derive(applicationFactory, commandTimeout);
		this.derived = own != applicationFactory;
		this.factory = own;
		if (this.derived && own instanceof InitializingBean bean) {
			try {
				bean.afterPropertiesSet();
			}
			catch (Exception ex) {
				throw new IllegalStateException("Connections of the delay queue cannot be set up", ex);
			}
			start();
		}
	}

	RedisConnectionFactory factory() {
		return this.factory;
	}

	void start() {
		if (this.derived && this.factory instanceof SmartLifecycle lifecycle && !lifecycle.isRunning()) {
			lifecycle.start();
		}
	}

	void stop() {
		if (this.derived && this.factory instanceof SmartLifecycle lifecycle) {
			lifecycle.stop();
		}
	}

	boolean isRunning() {
		return !(this.factory instanceof SmartLifecycle lifecycle) || lifecycle.isRunning();
	}

	void close() {
		if (this.derived && this.factory instanceof DisposableBean bean) {
			try {
				bean.destroy();
			}
			catch (Exception ex) {
				logger.warn("Connections of the delay queue could not be closed", ex);
			}
		}
	}

	private static RedisConnectionFactory derive(RedisConnectionFactory application, Duration commandTimeout) {
		RedisConnectionFactory own = null;
		ClassLoader classLoader = OwnConnections.class.getClassLoader();
		if (ClassUtils.isPresent("io.lettuce.core.RedisClient", classLoader)) {
			own = LettuceConnections.derive(application, commandTimeout);
		}
		if (own == null && ClassUtils.isPresent("redis.clients.jedis.Jedis", classLoader)) {
			own = JedisConnections.derive(application, commandTimeout);
		}
		if (own == null) {
			logger.warn(
					"The delay queue uses the application's {} as it is: delay-queue.command-timeout has no effect, "
							+ "set the time-out there, well below the ttr of the listeners",
					application.getClass().getName());
			return application;
		}
		return own;
	}

}
