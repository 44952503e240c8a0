package io.github.delayqueue.producer;

import java.time.Duration;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.options.QueueOptions;

/** Checks numbers that callers give, and the queue they are for. */
final class Limits {

	private Limits() {
	}

	static int require(String queue, String name, int value, int min, int max) {
		Names.requireQueue(queue);
		if (value < min || value > max) {
			String rule = (max < Integer.MAX_VALUE) ? min + " to " + max : "at least " + min;
			throw new DelayQueueException(queue, null,
					"Queue '" + queue + "': " + name + " must be " + rule + ", but is " + value);
		}
		return value;
	}

	static Duration requireLeaseDuration(String queue, Duration leaseDuration) {
		if (leaseDuration.compareTo(Duration.ofMillis(1)) < 0) {
			throw new DelayQueueException(queue, null, "Queue '" + queue
					+ "': leaseDuration must be at least a millisecond, but is " + Names.printable(leaseDuration));
		}
		return leaseDuration;
	}

	static Duration requireMaxWait(String queue, Duration maxWait) {
		if (maxWait.isNegative() || maxWait.compareTo(QueueOptions.MAX_DURATION) > 0) {
			throw new DelayQueueException(queue, null, "Queue '" + queue
					+ "': maxWait must be between zero and 36500 days, but is " + Names.printable(maxWait));
		}
		return maxWait;
	}

}
