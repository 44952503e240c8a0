package io.github.delayqueue.convert;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * Knows the envelopes that nearly all are, <code>{"v":1,"p":{…}}</code> as
 * {@link EnvelopeWriter} writes them, without a parser, which would cost as much again as
 * reading the payload. Whether the payload is JSON shows when it is read.
 */
final class PlainEnvelope {

	private static final byte[] START = "{\"v\":1,\"p\":".getBytes(StandardCharsets.UTF_8);

	private PlainEnvelope() {
	}

	/**
	 * Find the payload.
	 * @param bytes an envelope
	 * @return the payload, {@code null} if the envelope is of any other form
	 */
	static @Nullable JsonSlice payload(byte[] bytes) {
		int end = bytes.length - 1;
		if (end <= START.length || bytes[end] != '}' || bytes[START.length] != '{'
				|| !Arrays.equals(bytes, 0, START.length, START, 0, START.length)) {
			return null;
		}
		return (endOfObject(bytes, START.length) == end) ? new JsonSlice(bytes, START.length, end - START.length)
				: null;
	}

	private static int endOfObject(byte[] bytes, int start) {
		int depth = 0;
		boolean inText = false;
		for (int i = start; i < bytes.length; i++) {
			byte b = bytes[i];
			if (b == '"') {
				inText = !inText;
			}
			else if (inText) {
				// what follows a backslash ends no text
				i += (b == '\\') ? 1 : 0;
			}
			else if (b == '{') {
				depth++;
			}
			else if (b == '}' && --depth == 0) {
				return i + 1;
			}
		}
		return -1;
	}

}
