package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/** A handler's result for a task. Immutable. */
public sealed interface TaskResult {

	/** The task is handled. */
	static TaskResult done() {
		return Done.INSTANCE;
	}

	/**
	 * The task failed; whether and when it is delivered again is up to the retry
	 * settings.
	 */
	static TaskResult retry() {
		return Failed.WITHOUT_CAUSE;
	}

	/**
	 * The task failed for a reason, as if the handler had thrown it. For batch listeners,
	 * which cannot throw for one task alone.
	 * @param cause the reason
	 */
	static TaskResult failed(Throwable cause) {
		return new Failed(Objects.requireNonNull(cause, "cause must not be null"));
	}

	/**
	 * The task failed and is to be delivered again after the given delay. Counts as an
	 * attempt, and the task dies if there is none left.
	 * @param delay the delay, zero or negative for now
	 */
	static TaskResult retryAfter(Duration delay) {
		return new RetryAfter(Objects.requireNonNull(delay, "delay must not be null"));
	}

	/**
	 * The task is handled, and is to be delivered once more after the given delay, as if
	 * it had been scheduled anew: without the attempts, lost leases and failures it has
	 * had. It counts as completed, also where completed tasks are kept, and is not
	 * replaced if it was cancelled or replaced meanwhile. A recurring task is run at its
	 * next time if that comes first.
	 * @param delay the delay, by the store's clock; zero or negative for now
	 */
	static TaskResult runAgainAfter(Duration delay) {
		return new RunAgainAfter(Objects.requireNonNull(delay, "delay must not be null"));
	}

	/**
	 * The task is given up.
	 * @param reason why, kept with the dead letter
	 */
	static TaskResult deadLetter(String reason) {
		return new DeadLetter(Objects.requireNonNull(reason, "reason must not be null"));
	}

	/** Handled. */
	record Done() implements TaskResult {

		static final Done INSTANCE = new Done();

	}

	/** Handled, and to be delivered once more. */
	record RunAgainAfter(Duration delay) implements TaskResult {

	}

	/**
	 * Failed, retried as the settings say.
	 *
	 * @param cause the reason, {@code null} if there is no exception
	 */
	record Failed(@Nullable Throwable cause) implements TaskResult {

		static final Failed WITHOUT_CAUSE = new Failed(null);

	}

	/** Failed, retried after a delay. */
	record RetryAfter(Duration delay) implements TaskResult {

	}

	/** Given up. */
	record DeadLetter(String reason) implements TaskResult {

	}

}
