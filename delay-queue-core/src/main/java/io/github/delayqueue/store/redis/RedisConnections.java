package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.dao.TypeMismatchDataAccessException;
import org.springframework.dao.support.PersistenceExceptionTranslator;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.serializer.RedisSerializer;

import io.github.delayqueue.DelayQueueException;

/**
 * Connections to Redis: those of the application, as they are. Parts that know a driver
 * have better ones. Thread-safe.
 */
public class RedisConnections {

	/** A subscription to which the server has said nothing for as long is useless. */
	public static final Duration SILENCE_LIMIT = Duration.ofSeconds(15);

	private final Duration commandTimeout;

	private final RedisTemplate<byte[], byte[]> commands;

	private final RedisTemplate<byte[], byte[]> consumption;

	private final RedisConnectionFactory subscriptions;

	private volatile boolean stopped;

	private boolean closed;

	private volatile Runnable onRecovery = () -> {
	};

	/** Use connections of the application. */
	public RedisConnections(RedisConnectionFactory application, Duration commandTimeout) {
		this.commandTimeout = commandTimeout;
		this.commands = template(new ApplicationConnections(application));
		this.consumption = this.commands;
		this.subscriptions = application;
	}

	/**
	 * Use connections of one's own.
	 * @param consumption the same as {@code commands} if all threads share a connection
	 */
	protected RedisConnections(RedisConnectionFactory commands, RedisConnectionFactory consumption,
			RedisConnectionFactory subscriptions, Duration commandTimeout) {
		this.commandTimeout = commandTimeout;
		this.commands = template(commands);
		this.consumption = (consumption != commands) ? template(consumption) : this.commands;
		this.subscriptions = subscriptions;
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
	public final RedisTemplate<byte[], byte[]> commands() {
		return this.commands;
	}

	/**
	 * For claims, settlements and extensions: connections that no producer can use up,
	 * where the driver has a pool of them. Else the same as {@link #commands()}.
	 */
	public final RedisTemplate<byte[], byte[]> consumption() {
		return this.consumption;
	}

	/** For subscriptions. */
	public final RedisConnectionFactory subscriptions() {
		return this.subscriptions;
	}

	public final Duration commandTimeout() {
		return this.commandTimeout;
	}

	/** Makes of errors of the driver what Spring makes of them. */
	public final PersistenceExceptionTranslator errors() {
		return this.commands.getRequiredConnectionFactory();
	}

	/** The command timeout, or what waiting for a connection of a pool leaves of it. */
	public Duration answerTimeout() {
		return this.commandTimeout;
	}

	/**
	 * Send a script, perhaps together with other threads, and learn its reply later; at
	 * once if the driver cannot do so. If the server has certainly not carried it out,
	 * each of them repeats it alone.
	 * @param send sends it; its reply is cancelled by who gives up waiting
	 * @param alone runs it for this thread alone
	 * @return waits for the reply and gives it; to be called in any case, by the same
	 * thread
	 */
	public Supplier<List<?>> ahead(Script script, @Nullable String queue,
			Function<ScriptSender, CompletableFuture<List<?>>> send, Supplier<List<?>> alone) {
		List<?> reply = alone.get();
		return () -> reply;
	}

	/** Sends scripts over a connection, and may wait for the reply. */
	public ScriptSender sender(RedisConnection connection) {
		return (call) -> CompletableFuture.completedFuture(list(connection.scriptingCommands()
			.evalSha(call.script().sha1(), ReturnType.MULTI, call.keys(), call.keysAndArguments())));
	}

	/** Check a reply: that there is one, and that it is a list. */
	protected static List<?> list(@Nullable Object reply) {
		if (reply == null) {
			throw new RedisConnectionFailureException("Redis gave no reply");
		}
		if (!(reply instanceof List<?> list)) {
			throw new TypeMismatchDataAccessException("It is a " + reply.getClass().getSimpleName());
		}
		return list;
	}

	/**
	 * Wait for the connection of {@link #commands()} where all threads share it, no
	 * longer than the command timeout.
	 * @throws org.springframework.dao.DataAccessException if there is none by then
	 */
	public void connect() {
	}

	/**
	 * Use the connection of {@link #commands()}, which is not exchanged until
	 * {@link #release}, by the same thread.
	 */
	public void hold() {
	}

	public void release() {
	}

	/**
	 * The connection may be useless: look.
	 * @param silent whether nothing was answered; else an answer was that of a replica,
	 * or of a primary without replicas
	 */
	public void suspect(boolean silent) {
	}

	/** The same, if an error gives reason to. */
	public final void suspect(DataAccessException error) {
		if (error instanceof QueryTimeoutException) {
			suspect(true);
		}
		else if (RedisErrors.isNotPrimary(error)) {
			suspect(false);
		}
	}

	/** When commands have got other connections, possibly to another server. */
	public final void onRecovery(Runnable action) {
		this.onRecovery = action;
	}

	protected void recovered() {
		this.onRecovery.run();
	}

	/**
	 * Make sure that there are connections: handlers may end, and beans may schedule
	 * while they are destroyed, after the phase of the context's stop in which ours are
	 * closed.
	 */
	public final void open() {
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

	protected synchronized void start() {
		this.stopped = false;
	}

	protected synchronized void stop() {
		this.stopped = true;
	}

	public final boolean isRunning() {
		return !this.stopped;
	}

	/** End for good. */
	public synchronized void close() {
		this.stopped = true;
		this.closed = true;
	}

}
