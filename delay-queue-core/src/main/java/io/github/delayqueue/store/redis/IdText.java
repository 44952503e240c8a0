package io.github.delayqueue.store.redis;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Ids as text and back to the same bytes, whatever bytes somebody put into Redis: one
 * that is not UTF-8 becomes an unpaired low surrogate, which no id of ours contains. So
 * an entry that nobody can handle can still be moved to the dead ones and removed.
 */
final class IdText {

	private static final char ESCAPE = '\uDC00';

	/** Stands for bytes that are not UTF-8, among other things. */
	private static final char REPLACEMENT = '\uFFFD';

	private IdText() {
	}

	static String decode(byte[] bytes) {
		String text = new String(bytes, StandardCharsets.UTF_8);
		return (text.indexOf(REPLACEMENT) < 0) ? text : decodeMalformed(bytes);
	}

	private static String decodeMalformed(byte[] bytes) {
		CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder()
			.onMalformedInput(CodingErrorAction.REPORT)
			.onUnmappableCharacter(CodingErrorAction.REPORT);
		ByteBuffer in = ByteBuffer.wrap(bytes);
		CharBuffer out = CharBuffer.allocate(bytes.length);
		for (CoderResult result = decoder.decode(in, out, true); result
			.isError(); result = decoder.decode(in, out, true)) {
			for (int i = 0; i < result.length(); i++) {
				out.put((char) (ESCAPE + (in.get() & 0xff)));
			}
		}
		return out.flip().toString();
	}

	static byte[] encode(String id) {
		for (int i = 0; i < id.length(); i++) {
			if (Character.isLowSurrogate(id.charAt(i))) {
				return encodeEscaped(id);
			}
		}
		return id.getBytes(StandardCharsets.UTF_8);
	}

	private static byte[] encodeEscaped(String id) {
		ByteArrayOutputStream out = new ByteArrayOutputStream(id.length() + 16);
		int start = 0;
		for (int i = 0; i < id.length(); i++) {
			char c = id.charAt(i);
			if (Character.isHighSurrogate(c) && i + 1 < id.length() && Character.isLowSurrogate(id.charAt(i + 1))) {
				i++;
			}
			else if (c >= ESCAPE + 0x80 && c <= ESCAPE + 0xff) {
				out.writeBytes(id.substring(start, i).getBytes(StandardCharsets.UTF_8));
				out.write(c - ESCAPE);
				start = i + 1;
			}
		}
		out.writeBytes(id.substring(start).getBytes(StandardCharsets.UTF_8));
		return out.toByteArray();
	}

}
