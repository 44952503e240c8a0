package io.github.delayqueue.store.redis;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.store.OtherSourcesException;
import io.github.delayqueue.store.OtherTableException;
import io.github.delayqueue.store.Sources;

/**
 * Tells from an error of the driver whether the server has done what it was asked to, may
 * have, or has not. It makes a sentence of that. Only an error that the server has
 * answered with is an answer. After all else that a driver throws, nobody knows, unless
 * it was thrown before anything was sent.
 */
public final class RedisErrors {

	/**
	 * Beginnings of answers, and messages of drivers, after which nothing was carried
	 * out.
	 */
	private static final List<String> NOT_CARRIED_OUT = List.of("LOADING ", "BUSY ", "TRYAGAIN ", "CLUSTERDOWN ",
			"READONLY ", "NOREPLICAS ", "MASTERDOWN ", "Master is currently unknown", "Currently not connected",
			"Connection is closed", "Unable to connect", "Failed to connect", "Failed to create socket");

	/** Answers of a node of a cluster that leaves a step to another. */
	private static final List<String> REDIRECTIONS = List.of("MOVED ", "ASK ");

	/**
	 * What the server answers with begins with a code, and no message of a driver does.
	 */
	private static final Pattern ANSWER = Pattern.compile("[A-Z][A-Z0-9]+( |$)");

	/** Answers that another attempt a moment later may not get. */
	private static final List<String> NOT_READY = Stream
		.of(NOT_CARRIED_OUT.stream().filter((answer) -> answer.endsWith(" ")), REDIRECTIONS.stream(),
				Stream.of("max number of clients"))
		.flatMap(Function.identity())
		.toList();

	/**
	 * Answers of a server that may have been the primary and is no longer, and what a
	 * driver says that found none when it connected.
	 */
	private static final List<String> NOT_PRIMARY = List.of("READONLY ", "NOREPLICAS ", "MASTERDOWN ",
			"Master is currently unknown");

	/** How managed services refuse scripts that a check of theirs does not understand. */
	private static final String SCRIPT_CHECK = "ERR bad lua script for redis cluster";

	/** How scripts say that their caller believes in another number of sources. */
	private static final String SOURCES = "PARTITIONS ";

	/** How they say that the tasks are kept in another table than their caller's. */
	private static final String TABLE = "TABLE ";

	private RedisErrors() {
	}

	/** Whether the server has certainly not done it, so that it may be repeated. */
	public static boolean isNotCarriedOut(DataAccessException error) {
		return says(NOT_CARRIED_OUT, error) || isRedirection(error) || isNoConnectionFree(error);
	}

	/**
	 * Whether nothing was sent because no connection became free, after which there is no
	 * time left to try again.
	 */
	static boolean isNoConnectionFree(DataAccessException error) {
		return says(List.of("Could not get a resource from the pool"), error);
	}

	/**
	 * Whether a node of a cluster leaves it to another, which the driver knows by now
	 * unless the keys are on their way.
	 */
	static boolean isRedirection(DataAccessException error) {
		return chain(error).map(Throwable::getMessage)
			.anyMatch((message) -> message != null && REDIRECTIONS.stream().anyMatch(message::startsWith));
	}

	/** Whether the server answers like one that is not the primary, or no longer. */
	static boolean isNotPrimary(DataAccessException error) {
		return says(NOT_PRIMARY, error);
	}

	/** Whether the server does not have the script, and has to be sent it. */
	public static boolean isUnknownScript(DataAccessException error) {
		return says(List.of("NOSCRIPT "), error);
	}

	/** Whether an error is what the server answered, other than that it is not ready. */
	public static boolean isAnswer(DataAccessException error) {
		return !(isNotCarriedOut(error) || isBroken(error)) && ANSWER.matcher(rootMessage(error)).lookingAt();
	}

	/**
	 * The refusal of something that the server will refuse again, be it a connection.
	 * @return its answer, {@code null} if it is ready for it soon or has not answered
	 */
	public static @Nullable String refusal(Throwable error) {
		if (comesFrom(IOException.class, error) || says(NOT_READY, error)) {
			return null;
		}
		return chain(error).map(Throwable::getMessage)
			.filter((message) -> message != null && ANSWER.matcher(message).lookingAt())
			.findFirst()
			.orElse(null);
	}

	/**
	 * Whether the connection broke, so that nobody knows whether the server has done it.
	 * By its class: what the system says is worded differently by each transport.
	 */
	static boolean isBroken(DataAccessException error) {
		return comesFrom(RedisConnectionFailureException.class, error) || comesFrom(IOException.class, error)
				|| rootMessage(error).startsWith("Connection ");
	}

	private static boolean says(List<String> texts, Throwable error) {
		return chain(error).map(Throwable::getMessage)
			.anyMatch((message) -> message != null && texts.stream().anyMatch(message::contains));
	}

	/**
	 * An error and its causes. A driver for clusters that has given up says by a
	 * suppressed error why: ours tries once, so there is one at most.
	 */
	private static Stream<Throwable> chain(Throwable error) {
		Stream<Throwable> causes = Stream.iterate(error, Objects::nonNull, Throwable::getCause);
		return causes.flatMap((cause) -> Stream.concat(Stream.of(cause),
				Stream.of(cause.getSuppressed()).flatMap(RedisErrors::chain)));
	}

	private static boolean comesFrom(Class<? extends Exception> type, Throwable error) {
		return chain(error).anyMatch(type::isInstance);
	}

	/**
	 * Turn an error into a sentence.
	 * @param queue to which queue, or source of one; {@code null} to none
	 */
	public static DelayQueueException translate(String step, @Nullable String queue, DataAccessException error,
			Duration commandTimeout) {
		String reason = rootMessage(error);
		if (queue != null && reason.startsWith(SOURCES)) {
			return new OtherSourcesException(queue, reason.substring(SOURCES.length()));
		}
		if (queue != null && reason.startsWith(TABLE)) {
			return new OtherTableException(queue, reason.substring(TABLE.length()), "");
		}
		String message = "Could not " + step + ((queue != null) ? " queue '" + queue + "'" : "") + ": "
				+ why(error, reason, commandTimeout);
		String name = (queue != null) ? Sources.queue(queue) : null;
		return isAnswer(error) ? new DelayQueueException(name, null, message, error)
				: new StoreUnavailableException(name, null, message, error);
	}

	private static String why(DataAccessException error, String reason, Duration commandTimeout) {
		if (isNoConnectionFree(error)) {
			return "no connection of the driver's pool became free in time, and nothing was done (" + reason
					+ "). Make the pool larger: spring.data.redis.jedis.pool.max-active";
		}
		if (isNotCarriedOut(error)) {
			return "Redis cannot be reached or is not ready (" + reason + "). Check spring.data.redis.*";
		}
		if (error instanceof QueryTimeoutException || comesFrom(SocketTimeoutException.class, error)) {
			return "Redis did not answer within " + Names.printable(commandTimeout)
					+ " (delay-queue.command-timeout); it may or may not have been done (" + reason + ")";
		}
		if (isBroken(error)) {
			return "the connection to Redis broke; it may or may not have been done (" + reason + ")";
		}
		if (!isAnswer(error)) {
			return "there is no reply to go by; it may or may not have been done (" + reason + ")";
		}
		if (reason.startsWith(SCRIPT_CHECK)) {
			return "the service in front of Redis checks scripts and refuses ours, whose keys it does not recognise "
					+ "although all are declared. Switch the check off: on Alibaba Cloud Tair set the instance "
					+ "parameter script_check_enable to 0, other services may name it differently; see "
					+ "docs/operations/managed-services.md (" + reason + ")";
		}
		if (reason.contains("OOM ")) {
			return "Redis has reached its maxmemory and refuses to store more (" + reason + ")";
		}
		if (reason.contains("WRONGTYPE ")) {
			return "one of its keys has the wrong type: find it with TYPE, then rename or delete it (" + reason + ")";
		}
		return "Redis refused (" + reason + ")";
	}

	/** The message of the first of all causes, or its class. */
	public static String rootMessage(Throwable error) {
		Throwable root = NestedExceptionUtils.getMostSpecificCause(error);
		return (root.getMessage() != null) ? root.getMessage() : root.getClass().getSimpleName();
	}

}
