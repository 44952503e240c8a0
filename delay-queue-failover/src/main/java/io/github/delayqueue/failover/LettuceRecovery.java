package io.github.delayqueue.failover;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.store.redis.ScriptRunner;

/**
 * Gives up a connection that Lettuce keeps though it has become useless. Lettuce asks
 * where the primary is when a connection breaks; but one to a host that has vanished or a
 * process that stands still does not break, nor does one to a primary that has become a
 * replica, or is to become one. Without this, a queue would stand still for as long as
 * the operating system keeps trying, after a fail-over that took seconds.
 * <p>
 * Looks in the background, and connects elsewhere before it gives up a connection: a
 * server that only is slow costs nobody more than that.
 */
final class LettuceRecovery {

	private static final Logger logger = LoggerFactory.getLogger(LettuceRecovery.class);

	private static final Duration INTERVAL = Duration.ofSeconds(1);

	/** How long calls under way may take if the server answers. */
	private static final Duration HAND_OVER = Duration.ofSeconds(1);

	/** The same where no answer may come any more. */
	private static final Duration SILENT_HAND_OVER = Duration.ofMillis(200);

	private final LettuceConnectionFactory factory;

	private final Duration connectTimeout;

	private final Runnable elsewhere;

	private final Runnable recovered;

	/** Held by calls for as long as they use the connection, by us to change it. */
	private final ReadWriteLock connectionLock = new ReentrantReadWriteLock();

	private final SimpleAsyncTaskExecutor connector = new SimpleAsyncTaskExecutor("delay-queue-connection-");

	/** Held by one look at a time. */
	private final Object looking = new Object();

	private final AtomicBoolean checking = new AtomicBoolean();

	private volatile long lastCheck = System.nanoTime() - INTERVAL.toNanos();

	private @Nullable AbstractRedisClient listening;

	private volatile @Nullable SentinelWatch sentinels;

	/** Whether there is a connection that has not been given up since. */
	private volatile boolean connected;

	/** Guarded by this. */
	private @Nullable CompletableFuture<Boolean> attempt;

	/**
	 * Create, for a factory whose connection is shared.
	 * @param elsewhere connects to where the primary is now, and throws if it cannot
	 */
	LettuceRecovery(LettuceConnectionFactory factory, Duration connectTimeout, Runnable elsewhere, Runnable recovered) {
		this.factory = factory;
		this.connectTimeout = connectTimeout;
		this.elsewhere = elsewhere;
		this.recovered = recovered;
		this.connector.setDaemon(true);
	}

	/** Listen to Sentinels, if there are any, each time the factory was started. */
	void start() {
		AbstractRedisClient client = this.factory.getRequiredNativeClient();
		if (client != this.listening && this.factory.isRedisSentinelAware()) {
			this.listening = client;
			// as the factory itself gets it
			RedisURI uri = (RedisURI) new DirectFieldAccessor(client).getPropertyValue("redisURI");
			this.sentinels = new SentinelWatch((RedisClient) client, Objects.requireNonNull(uri), this::onSwitch);
			this.sentinels.listen();
		}
	}

	/** Look at the connection, unless that has just happened; silent: no answer came. */
	void suspect(boolean silent) {
		if (System.nanoTime() - this.lastCheck < INTERVAL.toNanos() || !this.checking.compareAndSet(false, true)) {
			return;
		}
		try {
			inBackground(() -> {
				try {
					check(silent);
				}
				finally {
					this.lastCheck = System.nanoTime();
					this.checking.set(false);
				}
			});
		}
		catch (OutOfMemoryError ex) {
			logger.debug("No thread could be started to look at the connection; it will be tried again", ex);
			this.checking.set(false);
		}
	}

	/**
	 * Use the connection, which is not given up until {@link #release}, by the same
	 * thread, if the answer comes soon: the caller would not know what became of the
	 * call.
	 */
	void hold() {
		this.connectionLock.readLock().lock();
	}

	void release() {
		this.connectionLock.readLock().unlock();
	}

	/** Wait for the connection, no longer than a command may take. */
	void connect() {
		if (this.connected) {
			return;
		}
		try {
			ScriptRunner.await(connecting(), this.connectTimeout, this.factory);
		}
		catch (QueryTimeoutException ex) {
			// nothing was sent
			throw new RedisConnectionFailureException(
					"Unable to connect within " + Names.printable(this.connectTimeout));
		}
	}

	/**
	 * The attempt to connect that is under way. The driver lets all who need a connection
	 * try one after the other: so there is one attempt for all, and nobody waits in line.
	 */
	private synchronized CompletableFuture<Boolean> connecting() {
		if (this.connected) {
			return CompletableFuture.completedFuture(true);
		}
		CompletableFuture<Boolean> known = this.attempt;
		if (known != null) {
			// who gives up does so for itself
			return known.copy();
		}
		CompletableFuture<Boolean> attempt = this.connector.submitCompletable(this::open);
		this.attempt = attempt;
		attempt.whenComplete((opened, error) -> connected(attempt, error == null));
		return attempt.copy();
	}

	private boolean open() {
		try (RedisConnection connection = this.factory.getConnection()) {
			connection.getNativeConnection();
			return true;
		}
	}

	/** Not if it was forgotten meanwhile: it might be the connection that was. */
	private synchronized void connected(CompletableFuture<Boolean> attempt, boolean connected) {
		if (this.attempt == attempt) {
			this.attempt = null;
			this.connected = connected;
		}
	}

	/** The connection has been closed, and the next call will get another. */
	synchronized void forget() {
		this.connected = false;
		this.attempt = null;
	}

	private void check(boolean silent) {
		if (this.factory.getRequiredNativeClient() instanceof RedisClusterClient cluster) {
			cluster.refreshPartitions();
			this.recovered.run();
		}
		else if (!silent || !answers()) {
			// fails where to connect again is of no use
			this.elsewhere.run();
			reconnect(silent ? SILENT_HAND_OVER : HAND_OVER);
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

	void onSwitch(String address) {
		inBackground(() -> {
			Objects.requireNonNull(this.sentinels).awaitAgreement(address);
			reconnect(SILENT_HAND_OVER);
		});
	}

	private void reconnect(Duration handOver) {
		resetConnection(handOver);
		this.recovered.run();
		SentinelWatch sentinels = this.sentinels;
		if (sentinels != null) {
			sentinels.listen();
		}
	}

	private void resetConnection(Duration handOver) {
		Lock lock = this.connectionLock.writeLock();
		boolean handedOver = false;
		try {
			handedOver = lock.tryLock(handOver.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		try {
			// calls that still wait for an answer do so in vain
			this.factory.resetConnection();
		}
		finally {
			forget();
			if (handedOver) {
				lock.unlock();
			}
		}
	}

	private void inBackground(Runnable task) {
		this.connector.execute(() -> {
			synchronized (this.looking) {
				try {
					task.run();
				}
				catch (RuntimeException ex) {
					logger.debug("Redis cannot be reached elsewhere either", ex);
				}
			}
		});
	}

}
