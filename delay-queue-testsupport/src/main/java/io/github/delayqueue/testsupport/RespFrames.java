package io.github.delayqueue.testsupport;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * Cuts a stream of Redis's protocol, which comes in pieces of any length, into whole
 * requests, replies and messages.
 */
final class RespFrames {

	private static final int INCOMPLETE = -1;

	private byte[] bytes = {};

	private int start;

	void add(byte[] more) {
		byte[] joined = Arrays.copyOfRange(this.bytes, this.start, this.bytes.length + more.length);
		System.arraycopy(more, 0, joined, this.bytes.length - this.start, more.length);
		this.bytes = joined;
		this.start = 0;
	}

	/**
	 * Take the next whole one.
	 * @return its bytes, {@code null} if it has not come as a whole
	 */
	@Nullable ByteBuffer next() {
		int end = endOf(this.start);
		if (end == INCOMPLETE) {
			return null;
		}
		ByteBuffer frame = ByteBuffer.wrap(this.bytes, this.start, end - this.start);
		this.start = end;
		return frame;
	}

	/**
	 * Take what is there of one that has not come as a whole.
	 * @return its bytes, maybe none
	 */
	byte[] rest() {
		byte[] rest = Arrays.copyOfRange(this.bytes, this.start, this.bytes.length);
		this.bytes = new byte[0];
		this.start = 0;
		return rest;
	}

	private int endOf(int from) {
		int line = endOfLine(from);
		if (line == INCOMPLETE) {
			return INCOMPLETE;
		}
		return switch (this.bytes[from]) {
			case '$', '=', '!' -> endOfBulk(line, length(from, line));
			case '*', '~', '>' -> endOfElements(line, length(from, line));
			case '%' -> endOfElements(line, 2 * length(from, line));
			// an attribute goes before the reply it belongs to
			case '|' -> endOfElements(line, 2 * length(from, line) + 1);
			default -> line;
		};
	}

	private int endOfLine(int from) {
		for (int i = from; i < this.bytes.length; i++) {
			if (this.bytes[i] == '\n') {
				return i + 1;
			}
		}
		return INCOMPLETE;
	}

	private int length(int from, int line) {
		return Integer.parseInt(new String(this.bytes, from + 1, line - from - 3, StandardCharsets.ISO_8859_1));
	}

	private int endOfBulk(int line, int length) {
		int end = (length < 0) ? line : line + length + 2;
		return (end <= this.bytes.length) ? end : INCOMPLETE;
	}

	private int endOfElements(int line, int count) {
		int end = line;
		for (int i = 0; i < count && end != INCOMPLETE; i++) {
			end = endOf(end);
		}
		return end;
	}

}
