package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What is on its way through a {@link FaultProxy} in one direction of a connection.
 */
final class ProxyStream {

	private static final int MAX_BYTES = 8 << 20;

	private final Deque<Chunk> chunks = new ArrayDeque<>();

	private int size;

	private boolean ended;

	private boolean blocked;

	void add(byte[] bytes) {
		if (bytes.length > 0) {
			this.chunks.add(new Chunk(System.nanoTime(), ByteBuffer.wrap(bytes)));
			this.size += bytes.length;
		}
	}

	/** Nothing more comes in. */
	void end() {
		this.ended = true;
	}

	boolean takesMore() {
		return !this.ended && this.size < MAX_BYTES;
	}

	/**
	 * Whether all has come in and gone out.
	 * @return whether
	 */
	boolean isOver() {
		return this.ended && this.chunks.isEmpty();
	}

	/**
	 * After what time there is something to send.
	 * @param delay how long what has come in is kept
	 * @param now the present {@link System#nanoTime()}
	 * @return nanoseconds, {@link Long#MAX_VALUE} if nothing is kept or the socket takes
	 * no more
	 */
	long nanosUntilDue(Duration delay, long now) {
		Chunk first = this.chunks.peek();
		return (first == null || this.blocked) ? Long.MAX_VALUE : Math.max(0, first.arrivedAt + delay.toNanos() - now);
	}

	/**
	 * Send what is due, as far as the socket takes it.
	 * @param sink where to
	 * @param delay how long what has come in is kept
	 * @param now the present {@link System#nanoTime()}
	 * @return whether the socket takes no more
	 * @throws IOException if the connection is broken
	 */
	boolean writeTo(SocketChannel sink, Duration delay, long now) throws IOException {
		this.blocked = false;
		while (!this.blocked && !this.chunks.isEmpty() && this.chunks.peek().isDue(delay, now)) {
			ByteBuffer bytes = this.chunks.peek().bytes;
			this.size -= sink.write(bytes);
			this.blocked = bytes.hasRemaining();
			if (!this.blocked) {
				this.chunks.remove();
			}
		}
		return this.blocked;
	}

	private record Chunk(long arrivedAt, ByteBuffer bytes) {

		boolean isDue(Duration delay, long now) {
			return now - this.arrivedAt >= delay.toNanos();
		}

	}

}
