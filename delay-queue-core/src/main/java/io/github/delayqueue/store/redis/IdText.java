package io.github.delayqueue.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Ids as text and back to the same bytes, whatever bytes somebody put into Redis: of one
 * that is not UTF-8 each byte becomes a character, behind an unpaired low surrogate,
 * which no id of ours contains. So an entry that nobody can handle can still be moved to
 * the dead ones and removed.
 */
final class IdText {

	private static final String NOT_UTF_8 = "\uDC00";

	/** Stands for bytes that are not UTF-8, among other things. */
	private static final char REPLACEMENT = '\uFFFD';

	private IdText() {
	}

	static String decode(byte[] bytes) {
		String text = new String(bytes, StandardCharsets.UTF_8);
		boolean same = text.indexOf(REPLACEMENT) < 0 || Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes);
		return same ? text : NOT_UTF_8 + new String(bytes, StandardCharsets.ISO_8859_1);
	}

	static byte[] encode(String id) {
		return id.startsWith(NOT_UTF_8) ? id.substring(1).getBytes(StandardCharsets.ISO_8859_1)
				: id.getBytes(StandardCharsets.UTF_8);
	}

}
