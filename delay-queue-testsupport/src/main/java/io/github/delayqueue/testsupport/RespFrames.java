package io.github.delayqueue.testsupport;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * Cuts a stream of Redis's protocol into whole requests, replies and messages.
 */
final class RespFrames {

	private static final byte[] LINE_END = { '\r', '\n' };

	private RespFrames() {
	}

	/**
	 * Wait for the next whole one.
	 * @return its bytes, {@code null} if the stream ends before
	 */
	static byte @Nullable [] next(InputStream input) throws IOException {
		ByteArrayOutputStream frame = new ByteArrayOutputStream();
		return copy(input, frame) ? frame.toByteArray() : null;
	}

	private static boolean copy(InputStream input, ByteArrayOutputStream frame) throws IOException {
		byte[] bytes = readLine(input);
		if (bytes == null) {
			return false;
		}
		frame.writeBytes(bytes);
		frame.writeBytes(LINE_END);
		String line = new String(bytes, StandardCharsets.ISO_8859_1);
		return switch (line.isEmpty() ? ' ' : line.charAt(0)) {
			case '$', '=', '!' -> copyBulk(input, frame, length(line));
			case '*', '~', '>' -> copyElements(input, frame, length(line));
			case '%' -> copyElements(input, frame, 2 * length(line));
			// an attribute goes before the reply it belongs to
			case '|' -> copyElements(input, frame, 2 * length(line) + 1);
			default -> true;
		};
	}

	/**
	 * Wait for the end of a line.
	 * @return the line without its end, {@code null} if the stream ends before
	 */
	static byte @Nullable [] readLine(InputStream input) throws IOException {
		ByteArrayOutputStream line = new ByteArrayOutputStream();
		for (int next = input.read(); next != '\n'; next = input.read()) {
			if (next < 0) {
				return null;
			}
			if (next != '\r') {
				line.write(next);
			}
		}
		return line.toByteArray();
	}

	private static int length(String line) {
		return Integer.parseInt(line.substring(1));
	}

	private static boolean copyBulk(InputStream input, ByteArrayOutputStream frame, int length) throws IOException {
		byte[] bytes = input.readNBytes((length < 0) ? 0 : length + 2);
		frame.writeBytes(bytes);
		return length < 0 || bytes.length == length + 2;
	}

	private static boolean copyElements(InputStream input, ByteArrayOutputStream frame, int count) throws IOException {
		for (int i = 0; i < count; i++) {
			if (!copy(input, frame)) {
				return false;
			}
		}
		return true;
	}

}
