package io.github.delayqueue.roles;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.delayqueue.store.Condition;
import io.github.delayqueue.store.TaskStore;

/**
 * The generation of a task: a number that becomes higher whenever the task is written
 * anew, so that of two copies of it one can be told to be newer. It is the first field of
 * the envelope, always sixteen digits, as in
 * <code>{"g":"0001795195739264","v":1,…}</code>: scripts compare these as text, readers
 * of the rest ignore them. An envelope that does not begin like that has no generation,
 * which counts as lower than all.
 */
public final class Generation {

	/** The highest there can be; as microseconds since the epoch, the year 2286. */
	public static final long MAX = 9_999_999_999_999_999L;

	private static final int DIGITS = 16;

	private static final Pattern START = Pattern.compile("\\{\"g\":\"(\\d{16})\"");

	/** How long what {@link #START} matches is. */
	private static final int LENGTH = 7 + DIGITS;

	private Generation() {
	}

	/**
	 * The microseconds of the clock since the epoch, but higher than the previous one.
	 */
	public static long next(long previous, Instant now) {
		long micros = now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
		return Math.max(previous + 1, micros);
	}

	/**
	 * The generation of a task that is written now, of which Redis has a record that the
	 * table does not know. It may be from an older copy of Redis: whatever followed it
	 * then is to have another generation.
	 * @param known the generation of the record, negative if there is none
	 * @param now the clock of the writer
	 * @return the microseconds of the clock since the epoch. If the record is from a
	 * clock that was ahead, higher than its generation by up to a second, by chance
	 */
	public static long above(long known, Instant now) {
		long next = next(known, now);
		return (next > known + 1) ? next : next + ThreadLocalRandom.current().nextInt(1_000_000);
	}

	/** Give an envelope, a JSON object, a generation in place of the one it has. */
	public static byte[] mark(byte[] envelope, long generation) {
		byte[] unmarked = unmark(envelope);
		if (!isMarkable(unmarked)) {
			throw new IllegalArgumentException("An envelope that is no JSON object can have no generation");
		}
		return opened("{\"g\":\"" + text(generation) + (isEmptyObject(unmarked) ? "\"" : "\","), unmarked);
	}

	/** An object that begins with other text in place of its brace. */
	public static byte[] opened(String start, byte[] envelope) {
		byte[] bytes = start.getBytes(StandardCharsets.US_ASCII);
		return ByteBuffer.allocate(bytes.length + envelope.length - 1)
			.put(bytes)
			.put(envelope, 1, envelope.length - 1)
			.array();
	}

	/** The envelope as {@link #mark} was given it, the same array if it has none. */
	public static byte[] unmark(byte[] envelope) {
		if (of(envelope).isEmpty()) {
			return envelope;
		}
		boolean more = LENGTH < envelope.length && envelope[LENGTH] == ',';
		byte[] unmarked = Arrays.copyOfRange(envelope, more ? LENGTH : LENGTH - 1, envelope.length);
		unmarked[0] = '{';
		return unmarked;
	}

	/** Whether it begins as a JSON object. */
	public static boolean isMarkable(byte[] envelope) {
		return envelope.length > 0 && envelope[0] == '{';
	}

	/** Empty if it has none. */
	public static OptionalLong of(byte[] envelope) {
		return first(START, envelope);
	}

	/** The number that an envelope begins with, if it begins like that. */
	public static OptionalLong first(Pattern form, byte[] envelope) {
		Matcher start = form
			.matcher(new String(envelope, 0, Math.min(envelope.length, LENGTH), StandardCharsets.ISO_8859_1));
		return start.lookingAt() ? OptionalLong.of(Long.parseLong(start.group(1))) : OptionalLong.empty();
	}

	/** Whether its generation is lower, or it has none; nothing is lower than none. */
	public static boolean isLower(byte[] envelope, OptionalLong generation) {
		return generation.isPresent() && of(envelope).orElse(-1) < generation.getAsLong();
	}

	/** As scripts take it: its sixteen digits. */
	public static String text(long generation) {
		requireBounds(generation);
		String digits = Long.toString(generation);
		return "0".repeat(DIGITS - digits.length()) + digits;
	}

	/** Throws {@link IllegalArgumentException} if it is not 0 to {@link #MAX}. */
	public static void requireBounds(long generation) {
		if (generation < 0 || generation > MAX) {
			throw new IllegalArgumentException("Generation must be 0 to " + MAX + ", not " + generation);
		}
	}

	/** Of a condition, empty if it asks for none. */
	public static OptionalLong of(Condition condition) {
		return condition.generation().isEmpty() ? OptionalLong.empty()
				: OptionalLong.of(Long.parseLong(condition.generation()));
	}

	/** For {@link TaskStore#cancel}: a task that is not newer than a generation. */
	public static Condition upTo(long generation) {
		return exactly(generation, generation);
	}

	/** For {@link TaskStore#reschedule}: a task of one generation, which gets another. */
	public static Condition exactly(long generation, long next) {
		return new Condition(text(generation), text(next));
	}

	private static boolean isEmptyObject(byte[] envelope) {
		int i = 1;
		while (i < envelope.length && " \t\r\n".indexOf(envelope[i]) >= 0) {
			i++;
		}
		return i < envelope.length && envelope[i] == '}';
	}

}
