package io.github.delayqueue.benchmark.scale;

import java.util.Locale;

/**
 * What has taken a server long.
 *
 * @param name of the command or script
 * @param millis what it took
 */
record SlowCall(String name, double millis) {

	@Override
	public String toString() {
		return String.format(Locale.ROOT, "%s %.1f ms", this.name, this.millis);
	}

}
