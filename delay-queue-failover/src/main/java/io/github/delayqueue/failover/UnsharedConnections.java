package io.github.delayqueue.failover;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

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
public final class UnsharedConnections {

	/** Most connections at a time. */
	public static final int MAX = 16;

	private static final Logger logger = LoggerFactory.getLogger(UnsharedConnections.class);

	/** A connection that has been idle for longer is asked whether it still is one. */
	private static final long TRUSTED_NANOS = Duration.ofSeconds(1).toNanos();

	/** A connection that has been idle for longer is closed when another comes back. */
	private static final long MAX_IDLE_NANOS = Duration.ofMinutes(1).toNanos();

	/** Who has not used any for longer will hardly do so again. */
	private static final long UNUSED_NANOS = Duration.ofMinutes(10).toNanos();

	private final Supplier<RedisConnectionFactory> factories;

	/** There is one before there is a connection. */
	private volatile @Nullable RedisConnectionFactory factory;

	private final Semaphore permits = new Semaphore(MAX, true);

	/** The latest first. */
	private final Deque<UnsharedConnection> idle = new ArrayDeque<>();

	private volatile long lastUsed = System.nanoTime();

	private boolean closed;

	/** How often all that there were have been given up. */
	private volatile int generation;

	UnsharedConnections(Supplier<RedisConnectionFactory> factories) {
		this.factories = factories;
	}

	/**
	 * Use a connection.
	 * @return what came of it, {@code null} if none became free in time
	 * @throws DataAccessException what {@code use} throws, and if there is no connection
	 */
	public <T> @Nullable T with(Duration timeout, Function<UnsharedConnection, T> use) {
		if (!acquire(timeout)) {
			return null;
		}
		try {
			UnsharedConnection connection = connection();
			boolean intact = false;
			try {
				T result = use.apply(connection);
				intact = !connection.broken && connection.generation == this.generation;
				return result;
			}
			finally {
				giveBack(connection, intact);
			}
		}
		finally {
			this.lastUsed = System.nanoTime();
			this.permits.release();
		}
	}

	/** Close all if nobody uses any, nor has for a long time; says whether that is so. */
	boolean closeIfUnused(long now) {
		boolean unused = this.permits.availablePermits() == MAX && now - this.lastUsed > UNUSED_NANOS;
		if (unused) {
			close();
		}
		return unused;
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

	private UnsharedConnection connection() {
		UnsharedConnection latest;
		synchronized (this) {
			initialize();
			latest = this.idle.pollFirst();
		}
		if (latest != null && (latest.idleNanos() < TRUSTED_NANOS || isAlive(latest.connection))) {
			return latest;
		}
		if (latest != null) {
			latest.close();
			closeIdle();
		}
		return new UnsharedConnection();
	}

	/** Holding the lock. A driver may look for its server here, so not earlier. */
	private void initialize() {
		if (this.closed) {
			throw new RedisConnectionFailureException("Unable to connect: the connections are closed");
		}
		if (this.factory == null) {
			// another one each time: one that could not start once never does
			RedisConnectionFactory factory = this.factories.get();
			try {
				initialize(factory);
			}
			catch (RuntimeException ex) {
				throw new RedisConnectionFailureException("Unable to connect", ex);
			}
			this.factory = factory;
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

	private void giveBack(UnsharedConnection connection, boolean intact) {
		if (!intact) {
			connection.close();
			closeIdle();
			return;
		}
		UnsharedConnection closing = connection;
		synchronized (this) {
			if (!this.closed) {
				connection.idleSince = System.nanoTime();
				this.idle.addFirst(connection);
				closing = (this.idle.getLast().idleNanos() > MAX_IDLE_NANOS) ? this.idle.removeLast() : null;
			}
		}
		if (closing != null) {
			closing.close();
		}
	}

	private void closeIdle() {
		List<UnsharedConnection> closing;
		synchronized (this) {
			closing = List.copyOf(this.idle);
			this.idle.clear();
		}
		closing.forEach(UnsharedConnection::close);
	}

	/** Give up all, those in use when they come back: there is a new primary. */
	void renew() {
		synchronized (this) {
			this.generation++;
		}
		closeIdle();
	}

	/** Connections in use are closed when they come back. */
	void close() {
		RedisConnectionFactory factory;
		synchronized (this) {
			this.closed = true;
			factory = this.factory;
		}
		closeIdle();
		if (factory != null) {
			destroy(factory);
		}
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

	/** A connection, in use or idle. */
	public final class UnsharedConnection {

		/** Before there is a connection, which may be to a primary that was. */
		private final int generation = UnsharedConnections.this.generation;

		private final RedisConnection connection = Objects.requireNonNull(UnsharedConnections.this.factory)
			.getConnection();

		private boolean broken;

		/** In terms of {@link System#nanoTime()}. */
		private long idleSince;

		public RedisConnection connection() {
			return this.connection;
		}

		private long idleNanos() {
			return System.nanoTime() - this.idleSince;
		}

		private void close() {
			try {
				this.connection.close();
			}
			catch (RuntimeException ex) {
				logger.debug("A connection could not be closed properly", ex);
			}
		}

		/** Let the connection not be used again. */
		public void broken() {
			this.broken = true;
		}

	}

}
