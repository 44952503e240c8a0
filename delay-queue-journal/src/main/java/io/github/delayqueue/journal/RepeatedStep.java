package io.github.delayqueue.journal;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A step that others may be in the way of for a moment, and that is repeated then. Spring
 * has the like from version 7 on. Immutable.
 *
 * @param error what tells that others were in the way, itself or as a cause
 * @param most how often the step is repeated
 * @param delay after what time, by how often it has been repeated before
 */
record RepeatedStep(Class<? extends RuntimeException> error, int most, IntFunction<Duration> delay) {

	/** Run the step, until it ends otherwise or has been repeated often enough. */
	<T> T run(Supplier<T> step) {
		for (int repeated = 0;; repeated++) {
			try {
				return step.get();
			}
			catch (RuntimeException ex) {
				boolean expected = Stream.<Throwable>iterate(ex, Objects::nonNull, Throwable::getCause)
					.anyMatch(this.error::isInstance);
				if (!expected || repeated == this.most || Thread.currentThread().isInterrupted()) {
					throw ex;
				}
				LockSupport.parkNanos(this.delay.apply(repeated).toNanos());
			}
		}
	}

}
