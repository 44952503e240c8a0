package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * A client's connection through a {@link FaultProxy}: one socket to the client, one to
 * the server, and what is on its way between them.
 */
final class ProxyLink {

	private final ProxyFaults faults;

	private final SocketChannel client;

	private final SocketChannel server;

	private final SelectionKey clientKey;

	private final SelectionKey serverKey;

	private final ProxyStream requests = new ProxyStream();

	private final ProxyStream replies = new ProxyStream();

	private final ClientRequests purpose = new ClientRequests();

	private final ServerMessages messages = new ServerMessages();

	private boolean requestsEnded;

	private boolean silent;

	ProxyLink(SocketChannel client, InetSocketAddress target, Selector selector, ProxyFaults faults)
			throws IOException {
		this.faults = faults;
		this.client = client;
		this.server = SocketChannel.open();
		prepare(this.client);
		prepare(this.server);
		this.clientKey = this.client.register(selector, SelectionKey.OP_READ, this);
		this.serverKey = this.server.register(selector, SelectionKey.OP_CONNECT, this);
		try {
			this.server.connect(target);
		}
		catch (IOException ex) {
			close();
		}
	}

	private static void prepare(SocketChannel channel) throws IOException {
		channel.configureBlocking(false);
		channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
		// closing is a reset, unless endOrderly() is called before
		channel.setOption(StandardSocketOptions.SO_LINGER, 0);
	}

	boolean isClosed() {
		return !this.client.isOpen() || !this.server.isOpen();
	}

	long nanosUntilDue() {
		if (this.silent) {
			return Long.MAX_VALUE;
		}
		long now = System.nanoTime();
		long requestsDue = this.server.isConnected() ? this.requests.nanosUntilDue(this.faults.delay, now)
				: Long.MAX_VALUE;
		return Math.min(requestsDue, this.replies.nanosUntilDue(this.faults.delay, now));
	}

	/** Something has come in, or can go out, or the server has been reached. */
	void onReady(SelectionKey key, ByteBuffer buffer) {
		try {
			if (key.isConnectable()) {
				this.server.finishConnect();
			}
			if (key.isReadable() && key == this.clientKey) {
				readRequests(buffer);
			}
			else if (key.isReadable()) {
				readReplies(buffer);
			}
		}
		catch (IOException ex) {
			// either side is gone: so is the connection
			close();
		}
	}

	private void readRequests(ByteBuffer buffer) throws IOException {
		byte[] bytes = read(this.client, this.requests, buffer);
		this.purpose.see(bytes);
		this.faults.bytesPassed.add(bytes.length);
		this.requests.add(bytes);
	}

	private void readReplies(ByteBuffer buffer) throws IOException {
		byte[] bytes = read(this.server, this.replies, buffer);
		if (bytes.length == 0) {
			return;
		}
		if (this.purpose.isCommands()) {
			bytes = joined(this.messages.rest(), bytes);
			if (this.faults.cutsReply()) {
				cut();
				return;
			}
		}
		else {
			bytes = this.messages.filter(bytes, this.faults);
		}
		this.faults.bytesPassed.add(bytes.length);
		this.replies.add(bytes);
	}

	private static byte[] joined(byte[] first, byte[] second) {
		return (first.length > 0) ? ByteBuffer.allocate(first.length + second.length).put(first).put(second).array()
				: second;
	}

	private static byte[] read(SocketChannel source, ProxyStream stream, ByteBuffer buffer) throws IOException {
		buffer.clear();
		if (source.read(buffer) < 0) {
			stream.end();
		}
		byte[] bytes = new byte[buffer.flip().remaining()];
		buffer.get(bytes);
		return bytes;
	}

	/** Send what is due, pass ends on, and say what to wait for. */
	void pump() {
		if (isClosed() || this.silent) {
			return;
		}
		try {
			long now = System.nanoTime();
			boolean connected = this.server.isConnected();
			boolean serverIsSlow = connected && this.requests.writeTo(this.server, this.faults.delay, now);
			boolean clientIsSlow = this.replies.writeTo(this.client, this.faults.delay, now);
			if (this.replies.isOver()) {
				endOrderly();
				return;
			}
			if (connected && this.requests.isOver() && !this.requestsEnded) {
				this.server.shutdownOutput();
				this.requestsEnded = true;
			}
			this.clientKey.interestOps(interest(this.requests, clientIsSlow));
			this.serverKey.interestOps(connected ? interest(this.replies, serverIsSlow) : SelectionKey.OP_CONNECT);
		}
		catch (IOException ex) {
			close();
		}
	}

	private static int interest(ProxyStream incoming, boolean outgoingIsSlow) {
		return (incoming.takesMore() ? SelectionKey.OP_READ : 0) | (outgoingIsSlow ? SelectionKey.OP_WRITE : 0);
	}

	/** Neither read nor write any more. */
	void silence() {
		this.silent = true;
		if (!isClosed()) {
			this.clientKey.interestOps(0);
			this.serverKey.interestOps(0);
		}
	}

	/** End the connection on purpose. */
	void cut() {
		if (this.faults.resets()) {
			close();
			return;
		}
		try {
			endOrderly();
		}
		catch (IOException ex) {
			close();
		}
	}

	private void endOrderly() throws IOException {
		this.client.setOption(StandardSocketOptions.SO_LINGER, -1);
		close();
	}

	void close() {
		try (SocketChannel first = this.client; SocketChannel second = this.server) {
			first.isOpen();
			second.isOpen();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
