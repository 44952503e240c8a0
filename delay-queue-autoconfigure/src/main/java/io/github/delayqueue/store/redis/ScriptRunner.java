package io.github.delayqueue.store.redis;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.serializer.RedisSerializer;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.store.Partitions;
import io.github.delayqueue.store.PartitionsChangedException;

/**
 * Runs scripts and single commands, repeats what the server has certainly not carried
 * out, and turns what the driver throws into sentences.
 */
final class ScriptRunner {

	private static final Logger logger = LoggerFactory.getLogger(ScriptRunner.class);

	private static final long FIRST_BACKOFF_NANOS = 10_000_000;

	private static final long MAX_BACKOFF_NANOS = 200_000_000;

	/**
	 * Beginnings of answers, and messages of drivers, after which nothing was carried
	 * out.
	 */
	private static final List<String> NOT_CARRIED_OUT = List.of("LOADING ", "BUSY ", "TRYAGAIN ", "CLUSTERDOWN ",
			"READONLY ", "NOREPLICAS ", "MASTERDOWN ", "Currently not connected", "Unable to connect",
			"Failed to connect", "Failed to create socket");

	/** Answers of a server that may have been the primary and is no longer. */
	private static final List<String> NOT_PRIMARY = List.of("READONLY ", "NOREPLICAS ", "MASTERDOWN ");

	private static final List<String> UNKNOWN_SCRIPT = List.of("NOSCRIPT ");

	/** How scripts say that their caller believes in another number of partitions. */
	private static final String PARTITIONS = "PARTITIONS ";

	private final RedisTemplate<byte[], byte[]> template;

	private final OwnConnections connections;

	private final Duration commandTimeout;

	private final AtomicReference<@Nullable Runnable> nextAnswer = new AtomicReference<>();

	private final AtomicBoolean publishErrorReported = new AtomicBoolean();

	ScriptRunner(OwnConnections connections, Duration commandTimeout) {
		this.connections = connections;
		this.template = new RedisTemplate<>();
		this.template.setConnectionFactory(connections.commands());
		this.template.setDefaultSerializer(RedisSerializer.byteArray());
		this.template.afterPropertiesSet();
		this.commandTimeout = commandTimeout;
	}

	/**
	 * Do something once, when the server next answers.
	 * @param action what to do: must be quick and throw nothing
	 */
	void onNextAnswer(Runnable action) {
		this.nextAnswer.set(action);
	}

	private void answered() {
		if (this.nextAnswer.get() != null) {
			Runnable action = this.nextAnswer.getAndSet(null);
			if (action != null) {
				action.run();
			}
		}
	}

	RedisTemplate<byte[], byte[]> template() {
		return this.template;
	}

	/**
	 * Run a script once: for callers that repeat it themselves.
	 * @param script the script
	 * @param queue the queue, for messages
	 * @param keys the script's keys
	 * @param arguments the script's arguments
	 * @return its reply
	 */
	List<?> once(Script script, String queue, List<byte[]> keys, byte[]... arguments) {
		this.connections.open();
		try {
			List<?> reply = execute(script, keys, arguments);
			answered();
			return reply;
		}
		catch (DataAccessException ex) {
			suspectConnection(ex);
			throw translate(script.stepName(), queue, ex);
		}
	}

	/**
	 * Run a script, and again while the server says that it cannot do it just now, for at
	 * most the command time-out.
	 * @param script the script
	 * @param queue the queue, for messages
	 * @param keys the script's keys
	 * @param arguments the script's arguments
	 * @return its reply
	 */
	List<?> run(Script script, String queue, List<byte[]> keys, byte[]... arguments) {
		return persistently(script.stepName(), queue, () -> execute(script, keys, arguments));
	}

	/**
	 * Send a script, and learn its reply later. What the server has certainly not carried
	 * out is repeated then, as by {@link #run}.
	 * @param script the script
	 * @param queue the queue, for messages
	 * @param keys the script's keys
	 * @param arguments the script's arguments
	 * @return waits for the reply and gives it; to be called in any case, by the same
	 * thread
	 */
	Supplier<List<?>> runAhead(Script script, String queue, List<byte[]> keys, byte[]... arguments) {
		this.connections.open();
		this.connections.hold();
		Supplier<List<?>> sent;
		try {
			sent = this.connections.sendAhead(script, keys.size(), join(keys, arguments));
		}
		catch (DataAccessException ex) {
			sent = () -> {
				throw ex;
			};
		}
		catch (RuntimeException | Error ex) {
			this.connections.release();
			throw ex;
		}
		if (sent == null) {
			this.connections.release();
			List<?> reply = run(script, queue, keys, arguments);
			return () -> reply;
		}
		Supplier<List<?>> answer = sent;
		return () -> await(answer, script, queue, keys, arguments);
	}

	private List<?> await(Supplier<List<?>> sent, Script script, String queue, List<byte[]> keys, byte[]... arguments) {
		try {
			List<?> reply = withoutPublishError(script, sent.get());
			answered();
			return reply;
		}
		catch (DataAccessException ex) {
			suspectConnection(ex);
			if (!isNotCarriedOut(ex) && !says(UNKNOWN_SCRIPT, ex)) {
				throw translate(script.stepName(), queue, ex);
			}
		}
		finally {
			this.connections.release();
		}
		return run(script, queue, keys, arguments);
	}

	<T> T persistently(String step, @Nullable String queue, Supplier<T> call) {
		this.connections.open();
		long giveUpAt = System.nanoTime() + this.commandTimeout.toNanos();
		long backoff = FIRST_BACKOFF_NANOS;
		while (true) {
			try {
				T result = call.get();
				answered();
				return result;
			}
			catch (DataAccessException ex) {
				suspectConnection(ex);
				if (!isNotCarriedOut(ex) || System.nanoTime() + backoff > giveUpAt
						|| Thread.currentThread().isInterrupted()) {
					throw translate(step, queue, ex);
				}
				LockSupport.parkNanos(backoff);
				backoff = Math.min(backoff * 2, MAX_BACKOFF_NANOS);
			}
		}
	}

	private List<?> execute(Script script, List<byte[]> keys, byte[][] arguments) {
		byte[][] keysAndArguments = join(keys, arguments);
		List<?> reply = this.connections.use(() -> evaluate(script, keys.size(), keysAndArguments));
		return withoutPublishError(script, reply);
	}

	static byte[][] join(List<byte[]> keys, byte[][] arguments) {
		byte[][] joined = new byte[keys.size() + arguments.length][];
		keys.toArray(joined);
		System.arraycopy(arguments, 0, joined, keys.size(), arguments.length);
		return joined;
	}

	/** Not by the template, which has nothing to add to a connection that is our own. */
	private @Nullable List<?> evaluate(Script script, int keys, byte[][] keysAndArguments) {
		try (RedisConnection connection = this.connections.commands().getConnection()) {
			return evaluate(connection, script, keys, keysAndArguments);
		}
	}

	/**
	 * Run a script on a connection, and send it where the server does not have it yet.
	 * @param connection the connection
	 * @param script the script
	 * @param keys how many keys it has
	 * @param keysAndArguments keys and arguments
	 * @return its reply
	 */
	static @Nullable List<?> evaluate(RedisConnection connection, Script script, int keys, byte[][] keysAndArguments) {
		try {
			return connection.scriptingCommands().evalSha(script.getSha1(), ReturnType.MULTI, keys, keysAndArguments);
		}
		catch (DataAccessException ex) {
			if (!says(UNKNOWN_SCRIPT, ex)) {
				throw ex;
			}
			return connection.scriptingCommands()
				.eval(Arguments.bytes(script.getScriptAsString()), ReturnType.MULTI, keys, keysAndArguments);
		}
	}

	/**
	 * A script whose step has succeeded says at the end why it could not wake consumers.
	 */
	List<?> withoutPublishError(Script script, @Nullable List<?> reply) {
		if (reply == null) {
			throw new RedisConnectionFailureException("Redis gave no reply to " + script);
		}
		int last = reply.size() - 1;
		if (!script.isWaking() || last < 0 || !(reply.get(last) instanceof byte[] error)) {
			return reply;
		}
		if (this.publishErrorReported.compareAndSet(false, true)) {
			logger.warn("Consumers cannot be woken, they find new tasks by polling only: {}. "
					+ "Allow the Redis user to publish and subscribe to the channels below delay-queue.key-prefix",
					Replies.text(error));
		}
		return reply.subList(0, last);
	}

	private void suspectConnection(DataAccessException error) {
		if (error instanceof QueryTimeoutException) {
			this.connections.suspect(true);
		}
		else if (says(NOT_PRIMARY, error)) {
			this.connections.suspect(false);
		}
	}

	private static boolean isNotCarriedOut(Throwable error) {
		return says(NOT_CARRIED_OUT, error);
	}

	private static boolean says(List<String> texts, Throwable error) {
		for (Throwable cause = error; cause != null; cause = cause.getCause()) {
			String message = cause.getMessage();
			if (message != null && texts.stream().anyMatch(message::contains)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Whether an error is what the server answered, other than that it is not ready.
	 * @param error the error
	 * @return whether it is
	 */
	static boolean isAnswer(DataAccessException error) {
		return !(isNotCarriedOut(error) || isBroken(error) || isInterrupted(error)
				|| error instanceof QueryTimeoutException);
	}

	/** By its class: what the system says is worded differently by each transport. */
	private static boolean isBroken(DataAccessException error) {
		return comesFrom(RedisConnectionFailureException.class, error) || comesFrom(IOException.class, error)
				|| rootMessage(error).startsWith("Connection ");
	}

	private static boolean isInterrupted(DataAccessException error) {
		return comesFrom(InterruptedException.class, error);
	}

	private static boolean comesFrom(Class<? extends Exception> type, Throwable error) {
		for (Throwable cause = error; cause != null; cause = cause.getCause()) {
			if (type.isInstance(cause)) {
				return true;
			}
		}
		return false;
	}

	private DelayQueueException translate(String step, @Nullable String queue, DataAccessException error) {
		String reason = rootMessage(error);
		if (queue != null && reason.startsWith(PARTITIONS)) {
			return new PartitionsChangedException(queue, reason.substring(PARTITIONS.length()));
		}
		String what = "Could not " + step + ((queue != null) ? " queue '" + queue + "'" : "") + ": ";
		String why;
		if (isNotCarriedOut(error)) {
			why = "Redis cannot be reached or is not ready (" + reason + "). Check spring.data.redis.*";
		}
		else if (isBroken(error)) {
			why = "the connection to Redis broke; it may or may not have been done (" + reason + ")";
		}
		else if (isInterrupted(error)) {
			why = "the calling thread was interrupted while it waited for Redis; it may or may not have been done";
		}
		else if (error instanceof QueryTimeoutException) {
			why = "Redis did not answer within " + this.commandTimeout
					+ " (delay-queue.command-timeout); it may or may not have been done (" + reason + ")";
		}
		else if (reason.contains("OOM ")) {
			why = "Redis has reached its maxmemory and refuses to store more (" + reason + ")";
		}
		else if (reason.contains("WRONGTYPE ")) {
			why = "one of its keys is of another type than it has to be: find it with TYPE, move it away or delete it ("
					+ reason + ")";
		}
		else {
			why = "Redis refused (" + reason + ")";
		}
		String name = (queue != null) ? Partitions.queue(queue) : null;
		return isAnswer(error) ? new DelayQueueException(name, null, what + why, error)
				: new StoreUnavailableException(name, null, what + why, error);
	}

	static String rootMessage(Throwable error) {
		Throwable root = error;
		while (root.getCause() != null) {
			root = root.getCause();
		}
		return (root.getMessage() != null) ? root.getMessage() : root.getClass().getSimpleName();
	}

}
