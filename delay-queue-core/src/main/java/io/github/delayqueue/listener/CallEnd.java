package io.github.delayqueue.listener;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.Names;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.event.ObservedDelivery;
import io.github.delayqueue.event.ObservedScope;
import io.github.delayqueue.listener.HandlerCall.ThreadState;
import io.github.delayqueue.options.FailureLogging;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.retry.RedeliveryPolicy;
import io.github.delayqueue.retry.RetryOptions;
import io.github.delayqueue.run.RunEnd;
import io.github.delayqueue.store.TaskStore;

/**
 * How the tasks of one call of a handler end, and what the log says of those that failed.
 * Not thread-safe.
 */
final class CallEnd {

	private static final Logger logger = LoggerFactory.getLogger(CallEnd.class);

	private final QueueOptions options;

	private final TaskStore store;

	private final boolean abandoned;

	private final Duration took;

	private @Nullable Throwable traced;

	CallEnd(QueueOptions options, TaskStore store, boolean abandoned, Duration took) {
		this.options = options;
		this.store = store;
		this.abandoned = abandoned;
		this.took = took;
	}

	/** End deliveries as their results say, in the scope of who looks on. */
	void end(List<HeldTask> tasks, List<TaskResult> results, @Nullable ObservedDelivery observed) {
		Duration handling = this.took.dividedBy(tasks.size());
		Set<DeliveryOutcome> outcomes = EnumSet.noneOf(DeliveryOutcome.class);
		Throwable error = null;
		ObservedScope scope = (observed != null) ? observed.open() : null;
		try {
			for (int i = 0; i < results.size(); i++) {
				DeliveryOutcome outcome = end(tasks.get(i), results.get(i), handling);
				if (outcome != null) {
					outcomes.add(outcome);
				}
				if (error == null && results.get(i) instanceof TaskResult.Failed failed) {
					error = failed.cause();
				}
			}
		}
		finally {
			if (observed != null && scope != null) {
				scope.close();
				observed.end(outcomes, error);
			}
		}
	}

	/**
	 * End it as its result says: what the store is told, {@code null} for a release.
	 */
	private @Nullable DeliveryOutcome end(HeldTask task, TaskResult result, Duration handling) {
		RunEnd end = (this.abandoned && result instanceof TaskResult.Failed) ? task.release(null) : endOf(task, result);
		if (end.outcome() == DeliveryOutcome.SUCCESS && task.isReplacedByItsHandler() && isScheduledAnew(task)) {
			task.setOver();
		}
		task.endWith(end, this.took, handling);
		return end.outcome();
	}

	private RunEnd endOf(HeldTask task, TaskResult result) {
		try {
			return endOf(task, result, this.options.policy(task.options()));
		}
		catch (RuntimeException | Error ex) {
			logger.error("The redelivery policy for task '{}' of queue '{}' failed; the default settings are used",
					Names.printable(task.id()), task.queue(), ex);
			return endOf(task, result, RetryOptions.DEFAULTS.toPolicy(this.options.noRetryFor()));
		}
	}

	private RunEnd endOf(HeldTask task, TaskResult result, RedeliveryPolicy policy) {
		if (result instanceof TaskResult.Done) {
			return task.complete(this.took);
		}
		if (result instanceof TaskResult.RunAgainAfter again) {
			return task.again(again.delay(), this.took);
		}
		if (result instanceof TaskResult.DeadLetter deadLetter) {
			return task.deadLetter(true, task.failure(DeadReason.DEAD_LETTERED, deadLetter.reason()).after(this.took));
		}
		if (result instanceof TaskResult.RetryAfter retry) {
			Duration allowed = policy.nextDelay(task.attempt(), null);
			return retryOrGiveUp(task, policy, (allowed != null) ? retry.delay() : null, null);
		}
		Throwable cause = ((TaskResult.Failed) result).cause();
		return retryOrGiveUp(task, policy, policy.nextDelay(task.attempt(), cause), cause);
	}

	private RunEnd retryOrGiveUp(HeldTask task, RedeliveryPolicy policy, @Nullable Duration delay,
			@Nullable Throwable cause) {
		DeadReason reason = (delay != null) ? null : whyDead(cause);
		TaskFailure failure = (cause != null) ? task.failure(reason, cause)
				: task.failure(reason, "The handler asked for a retry");
		if (cause != null) {
			logFailure(task, policy, delay, failure, cause);
		}
		TaskFailure whole = failure.after(this.took);
		return (delay != null) ? task.retry(delay, whole) : task.giveUp(true, whole);
	}

	/** Said when it is known what becomes of the task: its lease may be lost, or end. */
	private void logFailure(HeldTask task, RedeliveryPolicy policy, @Nullable Duration delay, TaskFailure failure,
			Throwable cause) {
		String attempt = (policy.maxAttempts() == Integer.MAX_VALUE) ? "" + task.attempt()
				: task.attempt() + " of " + policy.maxAttempts();
		boolean full = this.options.logFailures() == FailureLogging.FULL;
		String message = (full && failure.message() != null) ? ": " + Names.printableText(failure.message()) : "";
		String why = failure.type() + message;
		// those of a batch have failed together
		boolean traced = full && delay == null && cause != this.traced;
		this.traced = (delay == null) ? cause : this.traced;
		ThreadState context = ThreadState.current();
		task.reportWhenSettled((applied) -> {
			ThreadState before = ThreadState.current();
			context.restore();
			try {
				logFailure(task, attempt, applied, delay, why, traced ? cause : null);
			}
			finally {
				before.restore();
			}
		});
	}

	private static void logFailure(HeldTask task, String attempt, boolean applied, @Nullable Duration delay, String why,
			@Nullable Throwable cause) {
		String id = Names.printable(task.id());
		String next = (delay == null) ? " and was the last"
				: ", the next one is due in " + Names.printable(delay.truncatedTo(ChronoUnit.MILLIS));
		String outcome = applied ? next
				: ", which changes nothing: its lease was lost, or the task was cancelled, replaced or moved meanwhile";
		try {
			logger.warn("Attempt {} at task '{}' of queue '{}' has failed{}: {}", attempt, id, task.queue(), outcome,
					why, applied ? cause : null);
		}
		catch (RuntimeException | Error ex) {
			logger.warn("Attempt {} at task '{}' of queue '{}' has failed{}: {}", attempt, id, task.queue(), outcome,
					why);
		}
	}

	private DeadReason whyDead(@Nullable Throwable cause) {
		return RedeliveryPolicy.isRetryable(cause, this.options.noRetryFor()) ? DeadReason.ATTEMPTS_EXHAUSTED
				: DeadReason.NOT_RETRYABLE;
	}

	/**
	 * Not if a transaction was rolled back, and it is still in flight as it was claimed.
	 */
	private boolean isScheduledAnew(HeldTask task) {
		try {
			return this.store.find(task.queue(), task.id())
				.filter((found) -> found.state() == TaskState.IN_FLIGHT && task.record().dueAt().equals(found.dueAt()))
				.isEmpty();
		}
		catch (RuntimeException ex) {
			logger.debug("It is not known whether task '{}' of queue '{}' was scheduled anew; its settlement will "
					+ "show it", Names.printable(task.id()), task.queue(), ex);
			return false;
		}
	}

}
