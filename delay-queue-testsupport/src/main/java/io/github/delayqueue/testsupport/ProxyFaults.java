package io.github.delayqueue.testsupport;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a {@link FaultProxy} is to do, read and written by its thread only, and what it
 * has done.
 */
final class ProxyFaults {

	Duration delay = Duration.ZERO;

	/** How many more connections are to be cut in place of a reply. */
	int cutReplies;

	boolean dropMessages;

	final LongAdder accepted = new LongAdder();

	final LongAdder cuts = new LongAdder();

	final LongAdder repliesCut = new LongAdder();

	final LongAdder messagesSwallowed = new LongAdder();

	final LongAdder bytesSwallowed = new LongAdder();

	final LongAdder bytesPassed = new LongAdder();

	void heal() {
		this.delay = Duration.ZERO;
		this.cutReplies = 0;
		this.dropMessages = false;
	}

	/**
	 * Ask whether a connection is to be cut instead of passing a reply on, and count it.
	 * @return whether
	 */
	boolean cutsReply() {
		if (this.cutReplies == 0) {
			return false;
		}
		if (this.cutReplies != Integer.MAX_VALUE) {
			this.cutReplies--;
		}
		this.repliesCut.increment();
		return true;
	}

	/**
	 * Ask how a connection is to be cut, and count it.
	 * @return whether by a reset rather than in the ordinary way
	 */
	boolean resets() {
		this.cuts.increment();
		return this.cuts.sum() % 2 == 0;
	}

}
