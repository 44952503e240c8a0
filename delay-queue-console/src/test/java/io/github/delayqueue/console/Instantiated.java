package io.github.delayqueue.console;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * What no payload may bring into being: loading it counts as much as creating one.
 */
public class Instantiated {

	static {
		Count.TIMES.incrementAndGet();
	}

	public Instantiated() {
		Count.TIMES.incrementAndGet();
	}

	public void setName(String name) {
		Count.TIMES.incrementAndGet();
	}

	/**
	 * Apart, so that to look at it does not load the class.
	 */
	static final class Count {

		static final AtomicInteger TIMES = new AtomicInteger();

		private Count() {
		}

	}

}
