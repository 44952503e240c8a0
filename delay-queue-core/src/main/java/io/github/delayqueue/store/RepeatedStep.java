package io.github.delayqueue.store;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * A step that others may be in the way of for a moment, and that is repeated then. Public
 * for stores and their callers. Spring has the like from version 7 on. Immutable.
 *
 * @param error what tells that others were in the way, itself or as a cause
 * @param most how often the step is repeated
 * @param delay after what time, by how often it has been repeated before
 */
public record RepeatedStep(Class<? extends RuntimeException> error, int most, IntFunction<Duration> delay) {

	/** Run the step, until it ends otherwise or has been repeated often enough. */
	public <T> T run(Supplier<T> step) {
		for (int repeated = 0;; repeated++) {
			try {
				return step.get();
			}
			catch (RuntimeException ex) {
				if (!isExpected(ex) || repeated == this.most || Thread.currentThread().isInterrupted()) {
					throw ex;
				}
				LockSupport.parkNanos(this.delay.apply(repeated).toNanos());
			}
		}
	}

	private boolean isExpected(Throwable error) {
		for (Throwable cause = error; cause != null; cause = cause.getCause()) {
			if (this.error.isInstance(cause)) {
				return true;
			}
		}
		return false;
	}

}
