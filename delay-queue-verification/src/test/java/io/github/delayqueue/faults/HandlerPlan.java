package io.github.delayqueue.faults;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DeadReason;

/**
 * What a handler is to do with a task. Part of the payload, chosen by the producer, so
 * that the checker knows it.
 *
 * @param kind what to do
 * @param number how long or how often, see the kind
 */
record HandlerPlan(Kind kind, int number) {

	static final HandlerPlan OK = new HandlerPlan(Kind.OK, 0);

	enum Kind {

		/** Succeed at once. */
		OK,

		/** Succeed after so many milliseconds. */
		SLEEP,

		/** Throw so many times, then succeed. */
		THROW,

		/** Ask once to be called again after so many milliseconds, then succeed. */
		RETRY_AFTER,

		/** Hang until interrupted, once. */
		HANG,

		/** Hang for so many milliseconds and ignore interrupts, once. */
		DEAF,

		/** End the process without any tidying up, once. */
		HALT,

		/** Throw what is not to be retried. */
		NOT_RETRYABLE,

		/** Give up. */
		DEAD_LETTER,

		/** Throw as often as called. */
		EXHAUST,

		/** Give up what was due before so many seconds since the epoch. */
		BROKEN

	}

	static HandlerPlan of(Kind kind) {
		return new HandlerPlan(kind, 0);
	}

	static HandlerPlan parse(String text) {
		int colon = text.indexOf(':');
		return (colon < 0) ? of(Kind.valueOf(text))
				: new HandlerPlan(Kind.valueOf(text.substring(0, colon)), Integer.parseInt(text.substring(colon + 1)));
	}

	/** Why the task dies in the end, {@code null} if it is handled in the end. */
	@Nullable DeadReason deadReason() {
		return switch (this.kind) {
			case NOT_RETRYABLE -> DeadReason.NOT_RETRYABLE;
			case DEAD_LETTER, BROKEN -> DeadReason.DEAD_LETTERED;
			case EXHAUST -> DeadReason.ATTEMPTS_EXHAUSTED;
			default -> null;
		};
	}

	/** By how much a task that failed is delayed. */
	Duration retryDelay() {
		return (this.kind == Kind.RETRY_AFTER) ? Duration.ofMillis(this.number) : SuiteSettings.RETRY_DELAY;
	}

	@Override
	public String toString() {
		return this.kind + ":" + this.number;
	}

}
