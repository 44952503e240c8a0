package io.github.delayqueue.benchmark.scale;

import java.util.Arrays;

/**
 * What calls have taken. Not thread-safe.
 */
public final class Costs {

	private long[] nanos = new long[1024];

	private int count;

	void add(long nanos) {
		if (this.count == this.nanos.length) {
			this.nanos = Arrays.copyOf(this.nanos, 2 * this.count);
		}
		this.nanos[this.count++] = nanos;
	}

	void clear() {
		this.count = 0;
	}

	/**
	 * The median: what a call takes when nothing else disturbs the machine.
	 * @return microseconds, zero without calls
	 */
	public double medianMicros() {
		long[] sorted = Arrays.copyOf(this.nanos, this.count);
		Arrays.sort(sorted);
		return (this.count > 0) ? sorted[this.count / 2] / 1000.0 : 0;
	}

	/**
	 * The mean.
	 * @return microseconds, zero without calls
	 */
	public double meanMicros() {
		return Arrays.stream(this.nanos, 0, this.count).average().orElse(0) / 1000;
	}

	/**
	 * The longest.
	 * @return microseconds, zero without calls
	 */
	public double maxMicros() {
		return Arrays.stream(this.nanos, 0, this.count).max().orElse(0) / 1000.0;
	}

}
