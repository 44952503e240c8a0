package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.dao.support.PersistenceExceptionTranslator;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.RedisSystemException;

/** Sends scripts over a connection without waiting for the reply. */
@FunctionalInterface
public interface ScriptSender {

	/**
	 * Send a script, which the server must have.
	 * @return the reply, or the driver's error
	 */
	CompletableFuture<List<?>> send(ScriptCall call);

	/**
	 * Wait for a reply, or take back the call where it has not come by then.
	 * @param drivers makes of errors of the driver what Spring makes of them
	 */
	static <R> R await(CompletableFuture<R> reply, Duration timeout, PersistenceExceptionTranslator drivers) {
		try {
			return reply.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
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

}
