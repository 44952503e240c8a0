package io.github.delayqueue.convert;

import java.io.ByteArrayOutputStream;

/**
 * A buffer that can be told to measure a part, and to keep no more of it than a limit:
 * the size of a payload that is too large is known without the memory it would take.
 */
final class LimitedBuffer extends ByteArrayOutputStream {

	private long limit = Long.MAX_VALUE;

	private long written;

	LimitedBuffer() {
		super(256);
	}

	/** Begin to measure a part, and keep so many bytes of it at most. */
	void begin(long maxBytes) {
		this.limit = maxBytes;
		this.written = 0;
	}

	/** End to measure; answers how many bytes have been written, kept or not. */
	long end() {
		this.limit = Long.MAX_VALUE;
		return this.written;
	}

	@Override
	public synchronized void write(int value) {
		if (takes(1)) {
			super.write(value);
		}
	}

	@Override
	public synchronized void write(byte[] bytes, int offset, int length) {
		if (takes(length)) {
			super.write(bytes, offset, length);
		}
	}

	private boolean takes(int length) {
		this.written += length;
		return this.written <= this.limit;
	}

}
