package io.github.delayqueue.convert;

import java.io.ByteArrayOutputStream;

/**
 * A buffer that can be told to measure a part, and to keep no more of it than a limit:
 * the size of a payload that is too large is known without the memory it would take.
 */
final class LimitedBuffer extends ByteArrayOutputStream {

	private long limit = Integer.MAX_VALUE;

	private long start;

	private long dropped;

	LimitedBuffer() {
		super(256);
	}

	/**
	 * Begin to measure.
	 * @param maxBytes how many bytes of the part to keep at most
	 */
	void begin(long maxBytes) {
		this.start = size();
		this.limit = Math.min(maxBytes, Integer.MAX_VALUE - this.start) + this.start;
		this.dropped = 0;
	}

	/**
	 * End to measure.
	 * @return how many bytes have been written since it began, kept or not
	 */
	long end() {
		this.limit = Integer.MAX_VALUE;
		return size() - this.start + this.dropped;
	}

	@Override
	public synchronized void write(int value) {
		if (size() + 1 > this.limit) {
			this.dropped++;
		}
		else {
			super.write(value);
		}
	}

	@Override
	public synchronized void write(byte[] bytes, int offset, int length) {
		if ((long) size() + length > this.limit) {
			this.dropped += length;
		}
		else {
			super.write(bytes, offset, length);
		}
	}

}
