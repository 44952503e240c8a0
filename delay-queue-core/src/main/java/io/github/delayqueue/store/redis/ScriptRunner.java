package io.github.delayqueue.store.redis;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.dao.support.PersistenceExceptionTranslator;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.RedisSystemException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.util.ObjectUtils;

import io.github.delayqueue.Names;
import io.github.delayqueue.StoreUnavailableException;

/**
 * Runs scripts and single commands, and repeats what the server has certainly not carried
 * out. Every other error of the driver becomes a sentence. For the store and for parts of
 * the delay queue that have scripts of their own. Thread-safe.
 */
public final class ScriptRunner {

	private static final Logger logger = LoggerFactory.getLogger(ScriptRunner.class);

	/** The driver may not follow them: it would repeat other things, too. */
	private static final int MAX_REDIRECTIONS = 3;

	private static final long FIRST_BACKOFF_NANOS = 10_000_000;

	private static final long MAX_BACKOFF_NANOS = 200_000_000;

	private final RedisConnections connections;

	private final RedisKeys keys;

	private final @Nullable Clock clock;

	private volatile QueueHome[] homes = {};

	private final AtomicBoolean publishErrorReported = new AtomicBoolean();

	ScriptRunner(RedisConnections connections, RedisKeys keys, @Nullable Clock clock) {
		this.connections = connections;
		this.keys = keys;
		this.clock = clock;
	}

	void add(QueueHome home) {
		this.homes = ObjectUtils.addObjectToArray(this.homes, home);
	}

	/** The part that keeps a queue in a way of its own, {@code null} for the store. */
	public @Nullable QueueHome home(String queue) {
		for (QueueHome home : this.homes) {
			if (home.owns(queue)) {
				return home;
			}
		}
		return null;
	}

	/** Begin a call of a script for a queue. */
	public ScriptCall call(Script script, String queue) {
		QueueHome home = home(queue);
		Script used = (home != null) ? script.in(home.getClass(), home.keys()) : script;
		return new ScriptCall(used, queue, used.keys(this.keys, queue));
	}

	/** Begin a call of a script that needs no queue. */
	public ScriptCall call(Script script, byte[]... keys) {
		return new ScriptCall(script, null, List.of(keys));
	}

	public byte[] key(String name) {
		return this.keys.shared(name);
	}

	public RedisConnections connections() {
		return this.connections;
	}

	/**
	 * Begin a call as scripts begin that tell consumers when there is something to claim:
	 * with the time and the channel for wake messages.
	 */
	public ScriptCall timed(Script script, String queue) {
		return call(script, queue).add(now()).add(this.keys.key(queue, QueueKey.WAKE));
	}

	/** The time as scripts take it, empty for that of the server. */
	public String now() {
		Instant now = (this.clock != null) ? this.clock.instant() : null;
		return (now != null) ? Long.toString(now.getEpochSecond() * 1_000_000 + now.getNano() / 1000) : "";
	}

	/**
	 * Run a script as {@link #run(ScriptCall)} does, and read its reply.
	 * @throws StoreUnavailableException also if the reader cannot read it
	 */
	public <T> T run(ScriptCall call, Function<List<?>, T> reader) {
		return call.read(run(call), reader);
	}

	/** Run a script as {@link #once(ScriptCall)} does, and read its reply. */
	public <T> T once(ScriptCall call, Function<List<?>, T> reader) {
		return call.read(once(call), reader);
	}

	/** Run a script once: for consumers, which repeat it themselves. */
	public List<?> once(ScriptCall call) {
		return repeatedly(call.script().stepName(), call.queue(), (error) -> false,
				() -> execute(this.connections.consumption(), call));
	}

	/**
	 * Run a script, and again while the server says that it cannot do it just now, for at
	 * most the command timeout. One that only reads also where the connection breaks.
	 */
	public List<?> run(ScriptCall call) {
		return persistently(call.script().stepName(), call.queue(), call.script().isReading(),
				() -> execute(this.connections.commands(), call));
	}

	/**
	 * Send a script, and learn its reply later. A call that the server has certainly not
	 * carried out is repeated then, as by {@link #run}.
	 * @return waits for the reply and gives it; to be called in any case, by the same
	 * thread
	 */
	public Supplier<List<?>> runAhead(ScriptCall call) {
		return ahead(call.script(), call.queue(), (sender) -> sender.send(call), () -> run(call));
	}

	/**
	 * Send a script, perhaps together with other threads, as {@link #runAhead} does.
	 * @param send sends it; its reply is cancelled by who gives up waiting
	 * @param alone runs it for this thread alone
	 */
	public Supplier<List<?>> ahead(Script script, @Nullable String queue,
			Function<ScriptSender, CompletableFuture<List<?>>> send, Supplier<List<?>> alone) {
		Supplier<List<?>> reply = this.connections.ahead(script, queue, send, alone);
		return () -> withoutPublishError(script, reply.get());
	}

	/**
	 * Wait for a reply, or take back the call where it has not come by then.
	 * @param drivers makes of errors of the driver what Spring makes of them
	 */
	public static <R> R await(CompletableFuture<R> reply, Duration timeout, PersistenceExceptionTranslator drivers) {
		try {
			return reply.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			reply.cancel(false);
			Thread.currentThread().interrupt();
			throw new RedisSystemException("Interrupted while waiting for Redis", ex);
		}
		catch (TimeoutException ex) {
			reply.cancel(false);
			throw new QueryTimeoutException("No reply within " + timeout.toMillis() + " ms", ex);
		}
		catch (CancellationException ex) {
			throw new RedisConnectionFailureException("Connection closed with a call under way", ex);
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof Error error) {
				throw error;
			}
			DataAccessException translated = (ex.getCause() instanceof RuntimeException cause)
					? drivers.translateExceptionIfPossible(cause) : null;
			throw (translated != null) ? translated : new RedisSystemException("Redis cannot be asked", ex);
		}
	}

	/** Send commands that do no harm twice, as {@link #run} does what only reads. */
	public <T> T command(String step, @Nullable String queue, Function<RedisConnection, T> command) {
		return persistently(step, queue, true, () -> inConnection(this.connections.commands(), command::apply));
	}

	/**
	 * Do something, and again as {@link #run} does.
	 * @param queue the queue, for messages; {@code null} for none
	 * @param repeatable whether it does no harm to do it twice
	 */
	public <T> T persistently(String step, @Nullable String queue, boolean repeatable, Supplier<T> call) {
		return repeatedly(step, queue, (error) -> !RedisErrors.isNoConnectionFree(error)
				&& (RedisErrors.isNotCarriedOut(error) || (repeatable && RedisErrors.isBroken(error))), call);
	}

	private <T> T repeatedly(String step, @Nullable String queue, Predicate<DataAccessException> repeated,
			Supplier<T> call) {
		this.connections.open();
		long giveUpAt = System.nanoTime() + this.connections.commandTimeout().toNanos();
		long backoff = FIRST_BACKOFF_NANOS;
		while (true) {
			try {
				return call.get();
			}
			catch (DataAccessException ex) {
				this.connections.suspect(ex);
				if (!repeated.test(ex) || System.nanoTime() + backoff > giveUpAt
						|| Thread.currentThread().isInterrupted()) {
					throw RedisErrors.translate(step, queue, ex, this.connections.commandTimeout());
				}
				LockSupport.parkNanos(backoff);
				backoff = Math.min(backoff * 2, MAX_BACKOFF_NANOS);
			}
		}
	}

	private <T> T inConnection(RedisTemplate<byte[], byte[]> template, RedisCallback<T> action) {
		this.connections.connect();
		return Objects.requireNonNull(template.execute(action));
	}

	private List<?> execute(RedisTemplate<byte[], byte[]> template, ScriptCall call) {
		this.connections.hold();
		try {
			for (int left = MAX_REDIRECTIONS;; left--) {
				try {
					return inConnection(template, (connection) -> evaluate(connection, call));
				}
				catch (DataAccessException ex) {
					if (left == 0 || !RedisErrors.isRedirection(ex)) {
						throw ex;
					}
				}
			}
		}
		finally {
			this.connections.release();
		}
	}

	/** Run a script on a connection, and send it if the server does not have it. */
	public List<?> evaluate(RedisConnection connection, ScriptCall call) {
		Object reply;
		try {
			reply = await(this.connections.sender(connection).send(call), this.connections.commandTimeout(),
					this.connections.errors());
		}
		catch (DataAccessException ex) {
			if (!RedisErrors.isUnknownScript(ex)) {
				throw ex;
			}
			reply = connection.scriptingCommands()
				.eval(call.script().text(), ReturnType.MULTI, call.keys(), call.keysAndArguments());
		}
		return withoutPublishError(call.script(), RedisConnections.list(reply));
	}

	/**
	 * A script whose step has succeeded says at the end why it could not wake consumers.
	 */
	private List<?> withoutPublishError(Script script, List<?> reply) {
		int last = reply.size() - 1;
		if (!script.isWaking() || last < 0 || !(reply.get(last) instanceof byte[] error)) {
			return reply;
		}
		if (this.publishErrorReported.compareAndSet(false, true)) {
			logger.warn("Consumers cannot be woken, they find new tasks by polling only: {}. "
					+ "Allow the Redis user to publish and subscribe to the channels below delay-queue.key-prefix",
					Names.printableText(Replies.text(error)));
		}
		return reply.subList(0, last);
	}

}
