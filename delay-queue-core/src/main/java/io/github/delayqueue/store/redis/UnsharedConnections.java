package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Connections to one server, each used by one caller at a time: for {@code WAIT}, which
 * counts what the same connection has written, and blocks it. A connection on which
 * anything went wrong is closed, and with it all that lie idle. Thread-safe.
 */
final class UnsharedConnections {

	/** Most connections at a time. */
	static final int MAX = 16;

	private static final Logger logger = LoggerFactory.getLogger(UnsharedConnections.class);

	/** A connection that has been idle for longer is asked whether it still is one. */
	private static final long TRUSTED_NANOS = Duration.ofSeconds(1).toNanos();

	/** A connection that has been idle for longer is closed when another comes back. */
	private static final long MAX_IDLE_NANOS = Duration.ofMinutes(1).toNanos();

	/** Who has not used any for longer will hardly do so again. */
	private static final long UNUSED_NANOS = Duration.ofMinutes(10).toNanos();

	private final RedisConnectionFactory factory;

	private final ReplicaWait replicaWait;

	private final Semaphore permits = new Semaphore(MAX, true);

	/** The latest first. */
	private final Deque<IdleConnection> idle = new ArrayDeque<>();

	private volatile long lastUsed = System.nanoTime();

	private boolean initialized;

	private boolean closed;

	/** How often all that there were have been given up. */
	private volatile int generation;

	UnsharedConnections(RedisConnectionFactory factory, ReplicaWait replicaWait) {
		this.factory = factory;
		this.replicaWait = replicaWait;
	}

	/**
	 * Use a connection.
	 * @return what came of it, {@code null} if none became free in time
	 * @throws DataAccessException what {@code use} throws, and if there is no connection
	 */
	<T> @Nullable T with(Duration timeout, Function<UnsharedConnection, T> use) {
		if (!acquire(timeout)) {
			return null;
		}
		try {
			UnsharedConnection connection = new UnsharedConnection();
			boolean intact = false;
			try {
				T result = use.apply(connection);
				intact = !connection.broken && connection.generation == this.generation;
				return result;
			}
			finally {
				giveBack(connection.connection, intact);
			}
		}
		finally {
			this.lastUsed = System.nanoTime();
			this.permits.release();
		}
	}

	/** Whether nobody uses any, or has for a long time. */
	boolean isUnused(long now) {
		return this.permits.availablePermits() == MAX && now - this.lastUsed > UNUSED_NANOS;
	}

	private boolean acquire(Duration timeout) {
		try {
			return this.permits.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RedisConnectionFailureException("Unable to connect: the thread was interrupted", ex);
		}
	}

	private RedisConnection connection() {
		IdleConnection latest;
		synchronized (this) {
			initialize();
			latest = this.idle.pollFirst();
		}
		if (latest != null && (latest.nanos() < TRUSTED_NANOS || isAlive(latest.connection()))) {
			return latest.connection();
		}
		if (latest != null) {
			close(latest.connection());
			closeIdle();
		}
		return this.factory.getConnection();
	}

	/** Holding the lock. A driver may look for its server here, so not earlier. */
	private void initialize() {
		if (this.closed) {
			throw new RedisConnectionFailureException("Unable to connect: the connections are closed");
		}
		if (!this.initialized) {
			try {
				initialize(this.factory);
			}
			catch (RuntimeException ex) {
				throw new RedisConnectionFailureException("Unable to connect", ex);
			}
			this.initialized = true;
		}
	}

	static void initialize(RedisConnectionFactory factory) {
		if (factory instanceof InitializingBean bean) {
			try {
				bean.afterPropertiesSet();
			}
			catch (Exception ex) {
				throw new IllegalStateException("Connections of the delay queue cannot be set up", ex);
			}
		}
	}

	private static boolean isAlive(RedisConnection connection) {
		try {
			return connection.ping() != null;
		}
		catch (DataAccessException ex) {
			logger.debug("A connection that was idle is broken, another is opened", ex);
			return false;
		}
	}

	private void giveBack(RedisConnection connection, boolean intact) {
		if (!intact) {
			close(connection);
			closeIdle();
			return;
		}
		IdleConnection oldest = null;
		boolean keep;
		synchronized (this) {
			keep = !this.closed;
			if (keep) {
				this.idle.addFirst(new IdleConnection(connection, System.nanoTime()));
			}
			if (this.idle.size() > 1 && this.idle.getLast().nanos() > MAX_IDLE_NANOS) {
				oldest = this.idle.removeLast();
			}
		}
		if (!keep) {
			close(connection);
		}
		if (oldest != null) {
			close(oldest.connection());
		}
	}

	private void closeIdle() {
		Deque<IdleConnection> closing;
		synchronized (this) {
			closing = new ArrayDeque<>(this.idle);
			this.idle.clear();
		}
		closing.forEach((connection) -> close(connection.connection()));
	}

	/**
	 * Give up all connections, those in use when they come back: there is a new primary.
	 */
	void renew() {
		synchronized (this) {
			this.generation++;
		}
		closeIdle();
	}

	/** Connections in use are closed when they come back. */
	void close() {
		synchronized (this) {
			this.closed = true;
		}
		closeIdle();
		destroy(this.factory);
	}

	static void destroy(RedisConnectionFactory factory) {
		if (factory instanceof DisposableBean bean) {
			try {
				bean.destroy();
			}
			catch (Exception ex) {
				logger.warn("Connections of the delay queue could not be closed", ex);
			}
		}
	}

	private static void close(RedisConnection connection) {
		try {
			connection.close();
		}
		catch (RuntimeException ex) {
			logger.debug("A connection could not be closed properly", ex);
		}
	}

	/**
	 * How a driver sends {@code WAIT}.
	 */
	interface ReplicaWait {

		/**
		 * Wait until replicas have what the connection has written.
		 * @param millis how long at most, more than zero
		 */
		long waitForReplicas(RedisConnection connection, int replicas, long millis);

	}

	/** A connection in use. */
	final class UnsharedConnection {

		private final int generation = UnsharedConnections.this.generation;

		private final RedisConnection connection = UnsharedConnections.this.connection();

		private boolean broken;

		RedisConnection connection() {
			return this.connection;
		}

		int waitForReplicas(int replicas, Duration timeout) {
			long millis = Math.max(1, timeout.toMillis());
			return Math
				.toIntExact(UnsharedConnections.this.replicaWait.waitForReplicas(this.connection, replicas, millis));
		}

		/** Let the connection not be used again. */
		void broken() {
			this.broken = true;
		}

	}

	/**
	 * A connection that waits to be used again.
	 *
	 * @param since since when, in terms of {@link System#nanoTime()}
	 */
	private record IdleConnection(RedisConnection connection, long since) {

		long nanos() {
			return System.nanoTime() - this.since;
		}

	}

}
