package io.github.delayqueue.testsupport;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/**
 * What a client uses a connection for: nothing yet, subscriptions, or commands. Once it
 * is commands, no request is looked at any more.
 */
final class ClientRequests {

	private static final Set<String> GREETINGS = Set.of("HELLO", "AUTH", "CLIENT", "SELECT", "PING", "QUIT");

	private static final Set<String> SUBSCRIPTIONS = Set.of("SUBSCRIBE", "UNSUBSCRIBE", "PSUBSCRIBE", "PUNSUBSCRIBE",
			"SSUBSCRIBE", "SUNSUBSCRIBE");

	private final RespFrames frames = new RespFrames();

	private boolean commands;

	/**
	 * Take note of what the client has sent.
	 * @param bytes the next part, of any length
	 */
	void see(byte[] bytes) {
		if (this.commands) {
			return;
		}
		this.frames.add(bytes);
		for (ByteBuffer frame = this.frames.next(); frame != null && !this.commands; frame = this.frames.next()) {
			String name = nameOf(frame);
			this.commands = !GREETINGS.contains(name) && !SUBSCRIPTIONS.contains(name);
		}
	}

	boolean isCommands() {
		return this.commands;
	}

	private static String nameOf(ByteBuffer frame) {
		String[] lines = StandardCharsets.ISO_8859_1.decode(frame).toString().split("\r\n", 4);
		return (lines.length > 2) ? lines[2].toUpperCase(Locale.ROOT) : "";
	}

}
