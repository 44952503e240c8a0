package io.github.delayqueue.testsupport;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * A client's connection through a {@link FaultProxy}: one socket to the client, one to
 * the server, and in each direction a thread that reads and one that writes.
 */
final class ProxyLink {

	private static final Set<String> GREETINGS = Set.of("HELLO", "AUTH", "CLIENT", "SELECT", "PING", "QUIT");

	private static final Set<String> SUBSCRIPTIONS = Set.of("SUBSCRIBE", "UNSUBSCRIBE", "PSUBSCRIBE", "PUNSUBSCRIBE",
			"SSUBSCRIBE", "SUNSUBSCRIBE");

	private static final Pattern PUBLISHED = Pattern.compile("[*>][34]\r\n\\$\\d\r\n[ps]?message\r\n");

	/** Enough to see what a request or a message is. */
	private static final int START = 64;

	private final FaultProxy proxy;

	private final Socket client;

	private final Socket server = new Socket();

	/** Whether it is for commands, and not for subscriptions, nor for nothing yet. */
	private volatile boolean commands;

	ProxyLink(FaultProxy proxy, Socket client, InetSocketAddress target) {
		this.proxy = proxy;
		this.client = client;
		start("connect", () -> {
			prepare(this.client);
			this.server.connect(target);
			prepare(this.server);
			pass(this.client, this.server, this::seeRequest, this.server::shutdownOutput);
			pass(this.server, this.client, this::passesReply, () -> this.proxy.end(this, false));
		});
	}

	private static void prepare(Socket socket) throws SocketException {
		socket.setTcpNoDelay(true);
		// closing is a reset, unless it is set anew before
		socket.setSoLinger(true, 0);
	}

	private void pass(Socket from, Socket to, Predicate<byte[]> passes, Step end) {
		BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();
		start("read", () -> {
			InputStream input = new BufferedInputStream(from.getInputStream(), 1 << 16);
			try {
				for (byte[] frame = RespFrames.next(input); frame != null; frame = RespFrames.next(input)) {
					if (passes.test(frame)) {
						arrivals.add(new Arrival(System.nanoTime(), frame));
					}
				}
			}
			finally {
				// nothing more comes in
				arrivals.add(new Arrival(System.nanoTime(), new byte[0]));
			}
		});
		start("write", () -> {
			for (Arrival next = arrivals.take(); next.bytes.length > 0; next = arrivals.take()) {
				this.proxy.awaitDue(this, next.nanos, this.commands && from == this.server);
				to.getOutputStream().write(next.bytes);
			}
			this.proxy.awaitDue(this, System.nanoTime(), false);
			end.run();
		});
	}

	/** If either side is gone, so is the connection. */
	private void start(String name, Step step) {
		Thread thread = new Thread(() -> {
			try {
				step.run();
			}
			catch (IOException ex) {
				this.proxy.end(this, true);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}, "fault-proxy-" + name);
		thread.setDaemon(true);
		thread.start();
	}

	private boolean seeRequest(byte[] frame) {
		if (!this.commands) {
			String[] lines = startOf(frame).split("\r\n", 4);
			String name = (lines.length > 2) ? lines[2].toUpperCase(Locale.ROOT) : "";
			this.commands = !GREETINGS.contains(name) && !SUBSCRIPTIONS.contains(name);
		}
		return true;
	}

	private boolean passesReply(byte[] frame) {
		return this.commands ? !this.proxy.cutsReply(this)
				: !PUBLISHED.matcher(startOf(frame)).lookingAt() || !this.proxy.swallows();
	}

	private static String startOf(byte[] frame) {
		return new String(frame, 0, Math.min(frame.length, START), StandardCharsets.ISO_8859_1);
	}

	boolean isClosed() {
		return this.client.isClosed();
	}

	/**
	 * End both connections.
	 * @param reset whether by a reset rather than in the ordinary way
	 */
	void close(boolean reset) {
		try (Socket first = this.server; Socket second = this.client) {
			if (!reset && !second.isClosed()) {
				second.setSoLinger(false, 0);
			}
			first.isClosed();
		}
		catch (IOException ex) {
			// the other side was quicker
		}
	}

	private record Arrival(long nanos, byte[] bytes) {
	}

	/** What a thread does. */
	private interface Step {

		void run() throws IOException, InterruptedException;

	}

}
