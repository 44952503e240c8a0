package io.github.delayqueue.convert;

import java.io.OutputStream;
import java.util.Arrays;

/**
 * A buffer that can be told to measure a part, and to keep no more of it than a limit:
 * the size of a payload that is too large is known without the memory it would take. For
 * one thread: the streams of the JDK lock for each piece.
 */
final class LimitedBuffer extends OutputStream {

	private static final int FIRST_LENGTH = 256;

	/** What arrays can be made of in all virtual machines. */
	private static final int MAX_LENGTH = Integer.MAX_VALUE - 8;

	private byte[] bytes = new byte[FIRST_LENGTH];

	private int size;

	private long limit = MAX_LENGTH;

	private long start;

	private long dropped;

	/** Begin to measure a part, and keep so many bytes of it at most. */
	void begin(long maxBytes) {
		this.start = this.size;
		this.limit = Math.min(maxBytes, MAX_LENGTH - this.start) + this.start;
		this.dropped = 0;
	}

	/** End to measure; answers how many bytes have been written, kept or not. */
	long end() {
		this.limit = MAX_LENGTH;
		return this.size - this.start + this.dropped;
	}

	@Override
	public void write(int value) {
		if (takes(1)) {
			this.bytes[this.size++] = (byte) value;
		}
	}

	@Override
	public void write(byte[] bytes) {
		write(bytes, 0, bytes.length);
	}

	@Override
	public void write(byte[] bytes, int offset, int length) {
		if (takes(length)) {
			System.arraycopy(bytes, offset, this.bytes, this.size, length);
			this.size += length;
		}
	}

	/** Whether so much is to be kept; there is room for it then. */
	private boolean takes(int length) {
		long needed = (long) this.size + length;
		if (needed > this.limit) {
			this.dropped += length;
			return false;
		}
		if (needed > this.bytes.length) {
			this.bytes = Arrays.copyOf(this.bytes,
					(int) Math.min(Math.max(needed, 2L * this.bytes.length), MAX_LENGTH));
		}
		return true;
	}

	byte[] toByteArray() {
		return Arrays.copyOf(this.bytes, this.size);
	}

}
