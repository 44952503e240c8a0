package io.github.delayqueue.store;

import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Until when a debounced task can be put off. It is the first field that a store writes
 * into the envelope, always fifteen digits, as in
 * <code>{"l":"001795195739264","v":1,…}</code>: milliseconds since the epoch, by the
 * clock that decides when the task is due. So it goes with the task, and there is nothing
 * to be removed when the task ends.
 */
public final class DueLimit {

	private static final Pattern START = Pattern.compile("\\{\"l\":\"(\\d{15})\".*", Pattern.DOTALL);

	private static final int LENGTH = 22;

	private DueLimit() {
	}

	/**
	 * Write a limit into an envelope.
	 * @param envelope a JSON object that is not empty; it is not changed
	 * @param millis the limit, from 0 to {@link DueTime#MAX_EPOCH_MILLIS}
	 */
	public static byte[] mark(byte[] envelope, long millis) {
		byte[] start = "{\"l\":\"%015d\",".formatted(millis).getBytes(StandardCharsets.US_ASCII);
		byte[] marked = new byte[start.length + envelope.length - 1];
		System.arraycopy(start, 0, marked, 0, start.length);
		System.arraycopy(envelope, 1, marked, start.length, envelope.length - 1);
		return marked;
	}

	private static OptionalLong of(byte[] envelope) {
		Matcher start = START
			.matcher(new String(envelope, 0, Math.min(envelope.length, LENGTH), StandardCharsets.ISO_8859_1));
		return start.matches() ? OptionalLong.of(Long.parseLong(start.group(1))) : OptionalLong.empty();
	}

	/**
	 * Until when the burst of a task that waits can go on.
	 * @param envelope of a task that has never been delivered, without a generation
	 * @param dueMillis when it is due: one that was moved beyond its limit, or has come
	 * again after its end, is none of a burst
	 */
	public static OptionalLong of(byte[] envelope, long dueMillis) {
		OptionalLong limit = of(envelope);
		return (limit.isPresent() && dueMillis <= limit.getAsLong()) ? limit : OptionalLong.empty();
	}

}
