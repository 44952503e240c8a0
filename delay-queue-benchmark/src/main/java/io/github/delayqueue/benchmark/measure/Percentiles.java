package io.github.delayqueue.benchmark.measure;

/**
 * What so many of a hundred values do not exceed.
 */
final class Percentiles {

	private Percentiles() {
	}

	/**
	 * Add the usual ones to a sample.
	 * @param sample what there is so far
	 * @param prefix what the names of the figures begin with
	 * @param ascending the values in ascending order
	 * @return the sample with p50, p99, p999
	 */
	static Sample add(Sample sample, String prefix, double[] ascending) {
		return sample.with(prefix + "50", of(ascending, 50))
			.with(prefix + "99", of(ascending, 99))
			.with(prefix + "999", of(ascending, 99.9));
	}

	/**
	 * Look up one.
	 * @param ascending the values in ascending order
	 * @param percent of a hundred
	 * @return the value, not a number if there is none
	 */
	static double of(double[] ascending, double percent) {
		if (ascending.length == 0) {
			return Double.NaN;
		}
		// so that 99.9 of a thousand is 999, whatever the doubles say
		int rank = (int) Math.ceil(percent * ascending.length / 100 - 1e-9);
		return ascending[Math.max(0, rank - 1)];
	}

}
