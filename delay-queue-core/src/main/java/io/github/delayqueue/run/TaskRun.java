package io.github.delayqueue.run;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.CompletedRun;
import io.github.delayqueue.DeadReason;
import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.Recurrence;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.convert.Envelope;
import io.github.delayqueue.convert.FailureJson;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.convert.UnreadableTaskException;
import io.github.delayqueue.convert.UnsupportedEnvelopeException;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.Settlement;

/**
 * A task that has been claimed: which attempt it is, whether it may be run, and what each
 * way to end it tells the store. For wiring.
 */
public class TaskRun {

	/** After what time a task that cannot be handled here is offered to others again. */
	public static final Duration UNSUPPORTED_DELAY = Duration.ofSeconds(10);

	/** A handler that begins so long after its task was due, and more, is late. */
	private static final Duration LATE = Duration.ofSeconds(1);

	private static final Logger logger = LoggerFactory.getLogger(TaskRun.class);

	private final TaskClaim claim;

	private final ClaimedRecord record;

	private TaskOptions options = TaskOptions.NONE;

	private @Nullable Instant runAt;

	private boolean late;

	public TaskRun(TaskClaim claim, ClaimedRecord record) {
		this.claim = claim;
		this.record = record;
	}

	public final String queue() {
		return this.claim.queue();
	}

	/** The source that it was claimed from, and is settled in. */
	public final String source() {
		return this.claim.source();
	}

	public final ClaimedRecord record() {
		return this.record;
	}

	public final String id() {
		return this.record.id();
	}

	public final String token() {
		return this.claim.token();
	}

	public final TaskOptions options() {
		return this.options;
	}

	public final int attempt() {
		return this.record.failures() + 1;
	}

	/** Of a recurring task: the time of the run, the same in all attempts at it. */
	public final Instant runAt() {
		return (this.runAt != null) ? this.runAt : this.record.dueAt();
	}

	public final long nanoTime() {
		return this.claim.runs().nanoTime().getAsLong();
	}

	public final Duration age() {
		return this.claim.age();
	}

	/** How long it has been due. */
	public final Duration lateness() {
		Duration lateness = Duration.between(this.record.dueAt(), this.claim.now());
		return lateness.isNegative() ? Duration.ZERO : lateness;
	}

	/**
	 * A failure of this run.
	 * @param reason why it is given up, {@code null} if it is tried again
	 */
	public final TaskFailure failure(@Nullable DeadReason reason, @Nullable String message) {
		return new TaskFailure(reason, null, message, this.claim.now());
	}

	public final TaskFailure failure(@Nullable DeadReason reason, Throwable cause) {
		try {
			String trace = this.claim.runs().codec().trace(cause);
			return new TaskFailure(reason, cause.getClass().getName(), cause.getMessage(), this.claim.now(), null, null,
					null, trace, null);
		}
		catch (RuntimeException | Error ex) {
			return new TaskFailure(reason, cause.getClass().getName(),
					"Its message cannot be read: " + ex.getClass().getName(), this.claim.now());
		}
	}

	/**
	 * Read the task. If a later version has written it, that is reported.
	 * @throws UnreadableTaskException if it cannot be read
	 * @throws UnsupportedEnvelopeException if a later version has written it: it is to be
	 * {@linkplain #releaseUnsupported released}
	 */
	public final Envelope read() {
		Envelope envelope = this.claim.runs().codec().readEnvelope(this.record.envelope());
		this.options = envelope.options();
		return envelope;
	}

	/**
	 * Release a task that a later version has written, for an instance that knows it.
	 */
	public final RunEnd releaseUnsupported(UnsupportedEnvelopeException error) {
		logger.warn("Task '{}' of queue '{}' was written by a later version and is released for {}: {}",
				Names.printable(id()), queue(), Names.printable(UNSUPPORTED_DELAY), error.getMessage());
		this.claim.runs().events().publish((listener) -> listener.onPollError(queue(), error));
		return release(UNSUPPORTED_DELAY);
	}

	/** End a task that must not be run, whatever is in it. */
	public final @Nullable RunEnd refused() {
		TaskFailure failure = TaskFailure.ofClaimed(id(), this.record.leasesLost(), this.claim.runs().maxLeaseLosses(),
				this.claim.now());
		return (failure != null) ? deadLetter(false, failure) : null;
	}

	/** End a task that comes too late to be run. */
	public final @Nullable RunEnd tooLate() {
		TaskFailure before = (this.options.recurrence() != null) ? before() : null;
		this.runAt = (before != null) ? before.runAt() : null;
		Instant skippedTo = skippedTo();
		if (skippedTo != null && (this.record.failures() > 0 || this.record.leaseLost())) {
			return giveUp(false, failure(DeadReason.EXPIRED,
					"It had begun, and was not tried again before the next run was due: missed runs are skipped "
							+ "(onMissed)"));
		}
		if (skippedTo != null) {
			logger.info("Task '{}' of queue '{}' missed its run of {}, which is skipped; the next one is due at {}",
					Names.printable(id()), queue(), this.record.dueAt(), skippedTo);
			return end(new Settlement.Skip(false, null, skippedTo), null, null);
		}
		Duration expiresAfter = (this.options.expiresAfter() != null) ? this.options.expiresAfter()
				: this.claim.runs().expiresAfter();
		Duration lateness = lateness();
		if (expiresAfter != null && lateness.compareTo(expiresAfter) > 0) {
			return giveUp(false,
					failure(DeadReason.EXPIRED, "Overdue by " + Names.printable(lateness.truncatedTo(ChronoUnit.MILLIS))
							+ " when it was claimed, more than " + Names.printable(expiresAfter) + " (expires-after)"));
		}
		return null;
	}

	/** When this attempt was due; of a retry while the clock is set back, the run. */
	private Instant attemptAt() {
		return runAt().isAfter(this.record.dueAt()) ? runAt() : this.record.dueAt();
	}

	/** When the task is due next if this run has come too late, else {@code null}. */
	private @Nullable Instant skippedTo() {
		Recurrence recurrence = this.options.recurrence();
		return (recurrence != null && recurrence.isSkipped(attemptAt(), this.claim.claimedAt())) ? nextRun() : null;
	}

	/** When it is due after this run, {@code null} if it does not recur any more. */
	private @Nullable Instant nextRun() {
		Recurrence recurrence = this.options.recurrence();
		return (recurrence != null) ? recurrence.nextAfterRun(attemptAt(), this.claim.claimedAt()) : null;
	}

	/**
	 * Check how long its lease is to last. Nothing is not possible: it would end the
	 * lease, and the task would run elsewhere as well.
	 */
	public final Duration requireLeaseDuration(Duration leaseDuration) {
		if (leaseDuration.compareTo(Duration.ofMillis(1)) < 0) {
			throw new DelayQueueException(queue(), id(), "Task '" + Names.printable(id()) + "' of queue '" + queue()
					+ "': leaseDuration must be at least a millisecond, but is " + Names.printable(leaseDuration));
		}
		return leaseDuration;
	}

	/** It is about to be handled: tell so. */
	public final void started() {
		Duration lateness = lateness();
		this.late = lateness.compareTo(LATE) > 0;
		this.claim.runs().events().publish((listener) -> listener.onStart(queue(), id(), lateness));
	}

	/** The same end, with what the store keeps of the handler that took so long. */
	public final RunEnd handled(RunEnd end, Duration handling) {
		return new RunEnd(end.settlement().handled(this.late, handling), end.outcome(), end.failure());
	}

	/**
	 * It is handled. A recurring task is scheduled for its next time.
	 * @param took how long the handler ran
	 */
	public final RunEnd complete(Duration took) {
		if (this.options.recurrence() == null) {
			return end(new Settlement.Complete(this.claim.runs().keepsCompleted()), DeliveryOutcome.SUCCESS, null);
		}
		Instant next = nextRun();
		return (next != null)
				? end(new Settlement.Repeat(DueTime.at(next), written(took)), DeliveryOutcome.SUCCESS, null)
				: deadLetter(false,
						failure(DeadReason.DEAD_LETTERED, "It was handled, and its recurrence has no further time"),
						run(took));
	}

	/**
	 * It is handled, and delivered once more as if it was new. The next time of a
	 * recurring task stays as it is.
	 * @param took how long the handler ran
	 */
	public final RunEnd again(Duration delay, Duration took) {
		Instant next = nextRun();
		boolean sooner = next != null && Duration.between(this.claim.now(), next).compareTo(delay) < 0;
		if (sooner) {
			return complete(took);
		}
		byte[] run = (this.options.recurrence() != null) ? written(took) : null;
		return end(new Settlement.Repeat(DueTime.in(delay), run), DeliveryOutcome.SUCCESS, null);
	}

	private byte[] written(Duration took) {
		return FailureJson.writeLastRun(run(took));
	}

	private CompletedRun run(Duration took) {
		return new CompletedRun(this.claim.now(), took);
	}

	/** It failed, and is tried again. */
	public final RunEnd retry(Duration delay, TaskFailure cause) {
		TaskFailure failure = ofRun(true, cause);
		return end(new Settlement.Retry(delay, write(failure)), DeliveryOutcome.RETRY, failure);
	}

	/** It is given up. A recurring task lives on: it is this run that is given up. */
	public final RunEnd giveUp(boolean countFailure, TaskFailure cause) {
		Instant next = nextRun();
		if (next == null) {
			return deadLetter(countFailure, cause);
		}
		TaskFailure failure = ofRun(countFailure, cause);
		return end(new Settlement.Skip(countFailure, write(failure), next), DeliveryOutcome.FAILED, failure);
	}

	/** It is given up, a recurring task for good. */
	public final RunEnd deadLetter(boolean countFailure, TaskFailure cause) {
		return deadLetter(countFailure, cause, lastRun());
	}

	private RunEnd deadLetter(boolean countFailure, TaskFailure cause, @Nullable CompletedRun lastRun) {
		TaskFailure failure = ofRun(countFailure, cause);
		byte[] written = FailureJson.writeFailure(failure, lastRun);
		return end(new Settlement.DeadLetter(countFailure, written), DeliveryOutcome.DEAD, failure);
	}

	/** Released as if it had not been claimed: after a delay, or at its old due time. */
	public final RunEnd release(@Nullable Duration delay) {
		return end(new Settlement.Release(delay), null, null);
	}

	private RunEnd end(Settlement.End end, @Nullable DeliveryOutcome outcome, @Nullable TaskFailure failure) {
		return new RunEnd(new Settlement(id(), token(), end), outcome, failure);
	}

	private TaskFailure ofRun(boolean attempted, TaskFailure failure) {
		return failure.ofAttempt((this.options.recurrence() != null) ? runAt() : null, attempted ? attempt() : null,
				before());
	}

	/** What is kept of earlier runs is not of this one. */
	private @Nullable TaskFailure before() {
		byte[] kept = this.record.failure();
		return (kept != null && this.record.failures() > 0) ? FailureJson.readFailure(kept) : null;
	}

	private byte[] write(TaskFailure failure) {
		return FailureJson.writeFailure(failure, lastRun());
	}

	private @Nullable CompletedRun lastRun() {
		byte[] kept = this.record.failure();
		return (kept != null) ? FailureJson.readLastRun(kept) : null;
	}

	/**
	 * The store knows how it ended: tell so.
	 * @param applied whether it was applied, and did not come too late
	 * @param took how long the handler ran, zero if it was not called
	 */
	public final void ended(RunEnd end, boolean applied, Duration took) {
		DeliveryOutcome outcome = applied ? end.outcome() : DeliveryOutcome.STALE;
		if (outcome == null) {
			return;
		}
		if (outcome == DeliveryOutcome.DEAD) {
			logger.warn("Task '{}' of queue '{}' is dead: {}", Names.printable(id()), queue(), why(end.failure()));
		}
		else if (outcome == DeliveryOutcome.FAILED && end.settlement().end() instanceof Settlement.Skip skip) {
			logger.warn("A run of the recurring task '{}' of queue '{}' has failed, the next one is due at {}: {}",
					Names.printable(id()), queue(), skip.next(), why(end.failure()));
		}
		this.claim.runs().events().publish((listener) -> listener.onEnd(queue(), id(), outcome, took, end.failure()));
	}

	/** Not the message of a handler's exception, which may quote the payload. */
	private static String why(@Nullable TaskFailure failure) {
		if (failure == null) {
			return "no reason given";
		}
		String detail = (failure.type() != null) ? failure.type() : failure.message();
		return failure.reason() + " (" + Names.printableText(detail) + ")";
	}

	@Override
	public String toString() {
		return "Task '" + Names.printable(id()) + "' of queue '" + queue() + "', attempt " + attempt();
	}

}
