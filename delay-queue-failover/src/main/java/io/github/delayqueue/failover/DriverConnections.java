package io.github.delayqueue.failover;

import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.delayqueue.store.redis.RedisConnections;

/** Connections as the application's driver has them. Public for wiring. */
public final class DriverConnections {

	private static final Logger logger = LoggerFactory.getLogger(DriverConnections.class);

	private DriverConnections() {
	}

	/** Derive connections. A factory of a class that is not known is used as it is. */
	public static RedisConnections of(RedisConnectionFactory application, Duration commandTimeout) {
		if (application.getClass() == LettuceConnectionFactory.class) {
			return LettuceConnections.of((LettuceConnectionFactory) application, commandTimeout);
		}
		if (application.getClass() == JedisConnectionFactory.class) {
			return new JedisConnections((JedisConnectionFactory) application, commandTimeout);
		}
		logger.warn(
				"The delay queue uses the application's {} as it is: delay-queue.command-timeout has no effect, "
						+ "set a timeout there, well below the lease duration of the listeners",
				application.getClass().getName());
		return new RedisConnections(application, commandTimeout);
	}

}
