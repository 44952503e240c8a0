package io.github.delayqueue.store.redis;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.store.Partitions;
import io.github.delayqueue.store.PartitionsChangedException;

/**
 * What an error of the driver says: whether the server has done what it was asked to, may
 * have done it or has not, and the sentence for whoever asked.
 */
final class RedisErrors {

	/**
	 * Beginnings of answers, and messages of drivers, after which nothing was carried
	 * out.
	 */
	private static final List<String> NOT_CARRIED_OUT = List.of("LOADING ", "BUSY ", "TRYAGAIN ", "CLUSTERDOWN ",
			"READONLY ", "NOREPLICAS ", "MASTERDOWN ", "Currently not connected", "Connection is closed",
			"Unable to connect", "Failed to connect", "Failed to create socket");

	/** Answers of a server that may have been the primary and is no longer. */
	private static final List<String> NOT_PRIMARY = List.of("READONLY ", "NOREPLICAS ", "MASTERDOWN ");

	private static final List<String> UNKNOWN_SCRIPT = List.of("NOSCRIPT ");

	/** How scripts say that their caller believes in another number of partitions. */
	private static final String PARTITIONS = "PARTITIONS ";

	private RedisErrors() {
	}

	/**
	 * Whether the server has certainly not done it, so that it may be repeated.
	 * @param error the error
	 * @return whether it has not
	 */
	static boolean isNotCarriedOut(DataAccessException error) {
		return says(NOT_CARRIED_OUT, error);
	}

	/**
	 * Whether the server answers like one that is not the primary, or no longer.
	 * @param error the error
	 * @return whether it does
	 */
	static boolean isNotPrimary(DataAccessException error) {
		return says(NOT_PRIMARY, error);
	}

	/**
	 * Whether the server does not have the script, and has to be sent it.
	 * @param error the error
	 * @return whether it does not
	 */
	static boolean isUnknownScript(DataAccessException error) {
		return says(UNKNOWN_SCRIPT, error);
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

	/**
	 * Whether the connection broke, so that nobody knows whether the server has done it.
	 * By its class: what the system says is worded differently by each transport.
	 * @param error the error
	 * @return whether it did
	 */
	static boolean isBroken(DataAccessException error) {
		return comesFrom(RedisConnectionFailureException.class, error) || comesFrom(IOException.class, error)
				|| rootMessage(error).startsWith("Connection ");
	}

	private static boolean isInterrupted(DataAccessException error) {
		return comesFrom(InterruptedException.class, error);
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

	private static boolean comesFrom(Class<? extends Exception> type, Throwable error) {
		for (Throwable cause = error; cause != null; cause = cause.getCause()) {
			if (type.isInstance(cause)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Turn an error into a sentence.
	 * @param step what was to be done
	 * @param queue to which queue, or partition of one; {@code null} to none
	 * @param error what the driver throws
	 * @param commandTimeout for how long the answer was awaited
	 * @return the exception to throw
	 */
	static DelayQueueException translate(String step, @Nullable String queue, DataAccessException error,
			Duration commandTimeout) {
		String reason = rootMessage(error);
		if (queue != null && reason.startsWith(PARTITIONS)) {
			return new PartitionsChangedException(queue, reason.substring(PARTITIONS.length()));
		}
		String message = "Could not " + step + ((queue != null) ? " queue '" + queue + "'" : "") + ": "
				+ why(error, reason, commandTimeout);
		String name = (queue != null) ? Partitions.queue(queue) : null;
		return isAnswer(error) ? new DelayQueueException(name, null, message, error)
				: new StoreUnavailableException(name, null, message, error);
	}

	private static String why(DataAccessException error, String reason, Duration commandTimeout) {
		if (isNotCarriedOut(error)) {
			return "Redis cannot be reached or is not ready (" + reason + "). Check spring.data.redis.*";
		}
		if (isBroken(error)) {
			return "the connection to Redis broke; it may or may not have been done (" + reason + ")";
		}
		if (isInterrupted(error)) {
			return "the calling thread was interrupted while it waited for Redis; it may or may not have been done";
		}
		if (error instanceof QueryTimeoutException) {
			return "Redis did not answer within " + commandTimeout
					+ " (delay-queue.command-timeout); it may or may not have been done (" + reason + ")";
		}
		if (reason.contains("OOM ")) {
			return "Redis has reached its maxmemory and refuses to store more (" + reason + ")";
		}
		if (reason.contains("WRONGTYPE ")) {
			return "one of its keys is of another type than it has to be: find it with TYPE, move it away or delete it ("
					+ reason + ")";
		}
		return "Redis refused (" + reason + ")";
	}

	/**
	 * What the first of all causes says.
	 * @param error the error
	 * @return its message, its class if it has none
	 */
	static String rootMessage(Throwable error) {
		Throwable root = error;
		while (root.getCause() != null) {
			root = root.getCause();
		}
		return (root.getMessage() != null) ? root.getMessage() : root.getClass().getSimpleName();
	}

}
