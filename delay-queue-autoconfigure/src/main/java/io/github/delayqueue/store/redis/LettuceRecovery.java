package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Gives up a connection that Lettuce keeps though it has become useless. Lettuce asks
 * where the primary is when a connection breaks; but one to a host that has vanished or a
 * process that stands still does not break, nor does one to a primary that has become a
 * replica and was not told to close it. Without this, the queue would stand still for as
 * long as the operating system keeps trying, after a fail-over that took seconds.
 * <p>
 * Checks in the background and makes the new connection before it gives up the old one: a
 * server that only is slow costs nobody more than that.
 */
final class LettuceRecovery {

	private static final Logger logger = LoggerFactory.getLogger(LettuceRecovery.class);

	private static final Duration INTERVAL = Duration.ofSeconds(1);

	private final LettuceConnectionFactory factory;

	private final Runnable recovered;

	private final AtomicBoolean checking = new AtomicBoolean();

	private volatile long lastCheck = System.nanoTime() - INTERVAL.toNanos();

	/**
	 * Create one, which does nothing until there is a suspicion.
	 * @param factory whose connection is given up
	 * @param recovered called afterwards
	 */
	LettuceRecovery(LettuceConnectionFactory factory, Runnable recovered) {
		this.factory = factory;
		this.recovered = recovered;
	}

	/**
	 * The connection may be useless: look, unless that happens already or has just
	 * happened.
	 * @param silent whether nothing was answered; else an answer was that of a replica,
	 * or of a primary without replicas
	 */
	void suspect(boolean silent) {
		if (System.nanoTime() - this.lastCheck < INTERVAL.toNanos() || !this.checking.compareAndSet(false, true)) {
			return;
		}
		Thread thread = new Thread(() -> check(silent), "delay-queue-recovery");
		thread.setDaemon(true);
		thread.start();
	}

	private void check(boolean silent) {
		try {
			AbstractRedisClient client = this.factory.getRequiredNativeClient();
			if (client instanceof RedisClusterClient cluster) {
				cluster.refreshPartitions();
				this.recovered.run();
			}
			else if (!(silent && answers()) && canConnect((RedisClient) client)) {
				this.factory.resetConnection();
				this.recovered.run();
				logger.debug("Connected anew");
			}
		}
		catch (RuntimeException ex) {
			logger.debug("Redis cannot be reached elsewhere either", ex);
		}
		finally {
			this.lastCheck = System.nanoTime();
			this.checking.set(false);
		}
	}

	private boolean answers() {
		try (RedisConnection connection = this.factory.getConnection()) {
			return connection.ping() != null;
		}
		catch (RuntimeException ex) {
			logger.debug("The connection to Redis is silent", ex);
			return false;
		}
	}

	/** Asks Sentinels and name servers again where the primary is. */
	private static boolean canConnect(RedisClient client) {
		client.connect(ByteArrayCodec.INSTANCE).close();
		return true;
	}

}
