package io.github.delayqueue.testsupport;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * What a server sends on a connection that is for subscriptions, or for nothing yet:
 * replies are to be told from published messages.
 */
final class ServerMessages {

	private static final Pattern PUBLISHED = Pattern.compile("[*>][34]\r\n\\$\\d\r\n[ps]?message\r\n");

	private static final int LONGEST_START = 32;

	private final RespFrames frames = new RespFrames();

	/**
	 * Take out messages that are to be dropped, and count them.
	 * @param bytes the next part of what the server sends, of any length
	 * @param faults whether they are to be dropped
	 * @return what is to be passed on: whole replies and messages
	 */
	byte[] filter(byte[] bytes, ProxyFaults faults) {
		this.frames.add(bytes);
		ByteArrayOutputStream passed = new ByteArrayOutputStream();
		for (ByteBuffer frame = this.frames.next(); frame != null; frame = this.frames.next()) {
			if (faults.dropMessages && isPublished(frame)) {
				faults.messagesSwallowed.increment();
				faults.bytesSwallowed.add(frame.remaining());
			}
			else {
				passed.write(frame.array(), frame.arrayOffset() + frame.position(), frame.remaining());
			}
		}
		return passed.toByteArray();
	}

	/**
	 * What is there of a reply that has not come as a whole, to be passed on when the
	 * connection turns out to be for commands.
	 * @return the bytes, which are forgotten
	 */
	byte[] rest() {
		return this.frames.rest();
	}

	private static boolean isPublished(ByteBuffer frame) {
		ByteBuffer start = frame.slice(frame.position(), Math.min(frame.remaining(), LONGEST_START));
		return PUBLISHED.matcher(StandardCharsets.ISO_8859_1.decode(start)).lookingAt();
	}

}
