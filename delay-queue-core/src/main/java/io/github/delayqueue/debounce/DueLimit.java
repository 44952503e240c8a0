package io.github.delayqueue.debounce;

import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Pattern;

import io.github.delayqueue.roles.Generation;
import io.github.delayqueue.store.DueTime;

/**
 * Until when a debounced task can be put off. It is the first field that a store writes
 * into the envelope, always fifteen digits, as in
 * <code>{"l":"001795195739264","v":1,…}</code>: milliseconds since the epoch, by the
 * clock that decides when the task is due. So it goes with the task, and there is nothing
 * to be removed when the task ends.
 */
public final class DueLimit {

	private static final Pattern START = Pattern.compile("\\{\"l\":\"(\\d{15})\"");

	private DueLimit() {
	}

	/**
	 * Write a limit into an envelope.
	 * @param envelope a JSON object that is not empty; it is not changed
	 * @param millis the limit, from 0 to {@link DueTime#MAX_EPOCH_MILLIS}
	 */
	public static byte[] mark(byte[] envelope, long millis) {
		return Generation.opened(String.format(Locale.ROOT, "{\"l\":\"%015d\",", millis), envelope);
	}

	/**
	 * Until when the burst of a task that waits can go on.
	 * @param envelope of a task that has never been delivered, without a generation
	 * @param dueMillis when it is due: one that was moved beyond its limit, or has come
	 * again after its end, is none of a burst
	 */
	public static OptionalLong of(byte[] envelope, long dueMillis) {
		OptionalLong limit = Generation.first(START, envelope);
		return (dueMillis <= limit.orElse(-1)) ? limit : OptionalLong.empty();
	}

}
