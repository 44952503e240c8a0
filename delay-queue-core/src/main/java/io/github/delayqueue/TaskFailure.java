package io.github.delayqueue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The last failure of a task, kept with it while it is retried and after it has died.
 *
 * @param reason why the task is dead, or a run of a recurring task was given up;
 * {@code null} while it is to be retried
 * @param type class name of the exception, {@code null} if there was none
 * @param message what went wrong; never contains the payload unless the handler's own
 * exception message does
 * @param at when it happened
 * @param runAt of a recurring task, the time of the run that failed
 * ({@link DelayedTask#runAt()}); {@code null} of any other, and where it is not known
 * @param attempt which attempt of the handler it was, from 1; {@code null} if the handler
 * was not called, and where it is not known
 * @param took how long the handler ran; {@code null} where it is not known
 * @param trace the head of the stack trace, without messages, frames of the application
 * first; {@code null} unless stack traces are kept
 * ({@code management.endpoint.delayqueue.show-values})
 * @param earlier the two failures before it at most, the latest first, with shorter
 * messages and without traces. {@code null} if there are none, and where they are not
 * known
 */
public record TaskFailure(@Nullable DeadReason reason, @Nullable String type, @Nullable String message, Instant at,
		@Nullable Instant runAt, @Nullable Integer attempt, @Nullable Duration took, @Nullable String trace,
		@Nullable List<TaskFailure> earlier) {

	/** Longest {@link #message()} that is kept, in characters. */
	public static final int MAX_MESSAGE_LENGTH = 1000;

	/** How many {@link #earlier()} failures are kept. */
	public static final int MAX_EARLIER = 2;

	private static final int MAX_EARLIER_MESSAGE_LENGTH = 200;

	/** Quoted parts, UUIDs, runs of hexadecimal digits with a number in them, numbers. */
	private static final Pattern VARIABLE = Pattern.compile("\"[^\"]*\"|(?<!\\w)'[^']*'(?!\\w)|`[^`]*`|“[^”]*”"
			+ "|(?<!\\w)[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}(?!\\w)"
			+ "|(?<!\\w)(?=[a-fA-F]*[0-9])[0-9a-fA-F]{6,}(?!\\w)|[0-9]+");

	public TaskFailure {
		if (message != null && message.length() > MAX_MESSAGE_LENGTH) {
			message = message.substring(0, MAX_MESSAGE_LENGTH);
		}
		earlier = (earlier != null) ? List.copyOf(earlier) : null;
	}

	/** A failure of a task that is run once. */
	public TaskFailure(@Nullable DeadReason reason, @Nullable String type, @Nullable String message, Instant at) {
		this(reason, type, message, at, null, null, null, null, null);
	}

	/**
	 * The same as the failure of an attempt.
	 * @param runAt the time of the run, {@code null} of a task that is run once
	 * @param attempt which one, {@code null} if the handler was not called
	 * @param before the failure before it, with those before that one; {@code null} if
	 * there is none
	 */
	public TaskFailure ofAttempt(@Nullable Instant runAt, @Nullable Integer attempt, @Nullable TaskFailure before) {
		List<TaskFailure> earlier = (before == null) ? null
				: Stream.concat(Stream.of(before.shortened()), Stream.ofNullable(before.earlier).flatMap(List::stream))
					.limit(MAX_EARLIER)
					.toList();
		return new TaskFailure(this.reason, this.type, this.message, this.at, runAt, attempt, this.took, this.trace,
				earlier);
	}

	/** The same after the handler has run for some time, kept in milliseconds. */
	public TaskFailure after(Duration took) {
		return new TaskFailure(this.reason, this.type, this.message, this.at, this.runAt, this.attempt,
				took.truncatedTo(ChronoUnit.MILLIS), this.trace, this.earlier);
	}

	/** The same with the head of a stack trace, {@code null} for none. */
	public TaskFailure traced(@Nullable String trace) {
		return new TaskFailure(this.reason, this.type, this.message, this.at, this.runAt, this.attempt, this.took,
				trace, this.earlier);
	}

	/** The same without stack trace and earlier failures. */
	public TaskFailure alone() {
		return new TaskFailure(this.reason, this.type, this.message, this.at, this.runAt, this.attempt, this.took, null,
				null);
	}

	private TaskFailure shortened() {
		String shorter = (this.message != null && this.message.length() > MAX_EARLIER_MESSAGE_LENGTH)
				? this.message.substring(0, MAX_EARLIER_MESSAGE_LENGTH) : this.message;
		return new TaskFailure(null, this.type, shorter, this.at, null, this.attempt, this.took, null, null);
	}

	/**
	 * The cause as a fingerprint: failures of the same reason and type whose messages
	 * differ in numbers, ids and quoted parts only have the same. Instances of all
	 * versions have to come to the same result, or one cause is shown as two.
	 * @return sixteen hexadecimal digits
	 */
	public String cause() {
		String text = ((this.reason != null) ? this.reason.storedName() : null) + "\n" + this.type + "\n"
				+ ((this.message != null) ? VARIABLE.matcher(this.message).replaceAll("…") : "");
		// FNV-1a
		long hash = 0xcbf29ce484222325L;
		for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
			hash = (hash ^ (each & 0xff)) * 0x100000001b3L;
		}
		return HexFormat.of().toHexDigits(hash);
	}

	/**
	 * The reason why a claimed task must not be handled: it has lost as many leases as it
	 * may, or its id is impossible.
	 * @param at when it was claimed
	 * @return the failure it dies of, {@code null} if it can be handled
	 */
	public static @Nullable TaskFailure ofClaimed(String taskId, int leasesLost, int maxLeaseLosses, Instant at) {
		if (leasesLost >= maxLeaseLosses) {
			return new TaskFailure(DeadReason.LEASES_EXHAUSTED, null, "Its lease was lost " + leasesLost
					+ " times without an answer of the handler (retry.max-lease-losses)", at);
		}
		String objection = Names.objectionToTaskId(taskId);
		return (objection != null) ? new TaskFailure(DeadReason.UNREADABLE, null, "Its id " + objection, at) : null;
	}

}
