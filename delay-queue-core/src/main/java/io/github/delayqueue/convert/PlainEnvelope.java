package io.github.delayqueue.convert;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * Knows the envelopes that nearly all are, <code>{"v":1,"p":{…}}</code> as
 * {@link EnvelopeWriter} writes them, perhaps with a generation in front
 * (<code>{"g":"0001795195739264","v":1,…</code>), without a parser, which would cost as
 * much again as reading the payload. Whether the payload is JSON shows when it is read.
 */
final class PlainEnvelope {

	private static final byte[] GENERATION = "{\"g\":\"".getBytes(StandardCharsets.UTF_8);

	private static final int GENERATION_DIGITS = 16;

	/** Of the comma behind the generation. */
	private static final int GENERATION_END = GENERATION.length + GENERATION_DIGITS + 1;

	private static final byte[] START = "\"v\":1,\"p\":".getBytes(StandardCharsets.UTF_8);

	private PlainEnvelope() {
	}

	/** The payload, {@code null} if the envelope is of any other form. */
	static @Nullable JsonSlice payload(byte[] bytes) {
		int start = startOfFields(bytes);
		int payload = start + START.length;
		int end = bytes.length - 1;
		if (end <= payload || bytes[end] != '}' || bytes[payload] != '{'
				|| !Arrays.equals(bytes, start, payload, START, 0, START.length)) {
			return null;
		}
		return (endOfObject(bytes, payload) == end) ? new JsonSlice(bytes, payload, end - payload) : null;
	}

	/** Behind the brace, or behind a generation; what is neither begins with no field. */
	private static int startOfFields(byte[] bytes) {
		if (bytes.length <= GENERATION_END || bytes[GENERATION_END] != ',' || bytes[GENERATION_END - 1] != '"'
				|| !Arrays.equals(bytes, 0, GENERATION.length, GENERATION, 0, GENERATION.length)) {
			return (bytes.length > 0 && bytes[0] == '{') ? 1 : bytes.length;
		}
		for (int i = GENERATION.length; i < GENERATION_END - 1; i++) {
			if (bytes[i] < '0' || bytes[i] > '9') {
				return 1;
			}
		}
		return GENERATION_END + 1;
	}

	private static int endOfObject(byte[] bytes, int start) {
		int depth = 0;
		for (int i = start; i < bytes.length; i++) {
			byte b = bytes[i];
			if (b == '"') {
				while (++i < bytes.length && bytes[i] != '"') {
					// what follows a backslash ends no text
					i += (bytes[i] == '\\') ? 1 : 0;
				}
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
