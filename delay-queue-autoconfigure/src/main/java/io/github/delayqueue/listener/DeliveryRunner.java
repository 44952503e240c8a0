package io.github.delayqueue.listener;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.Names;
import io.github.delayqueue.Recurrence;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.convert.Envelope;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.convert.UnreadableTaskException;
import io.github.delayqueue.convert.UnsupportedEnvelopeException;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.event.TaskObserver;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.retry.RedeliveryPolicy;
import io.github.delayqueue.retry.RetryOptions;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;

/**
 * Takes held tasks through the handler: sorts out what must not run, converts payloads,
 * calls the handler and turns its results into outcomes.
 */
final class DeliveryRunner {

	private static final Logger logger = LoggerFactory.getLogger(DeliveryRunner.class);

	/** After what time a task that cannot be handled here is offered to others again. */
	private static final Duration UNSUPPORTED_DELAY = Duration.ofSeconds(10);

	/** After what time a task is tried again of which something could not be read. */
	private static final Duration UNKNOWN_DELAY = Duration.ofSeconds(1);

	private final DelayQueueListenerEndpoint endpoint;

	private final QueueOptions options;

	private final TaskStore store;

	private final TaskCodec codec;

	private final TaskEvents events;

	private final Consumer<Outcome> outcomes;

	private final TaskObserver observer;

	private final Set<HandlerCall> calls = ConcurrentHashMap.newKeySet();

	private volatile boolean abandoned;

	private volatile boolean interrupted;

	DeliveryRunner(DelayQueueListenerEndpoint endpoint, QueueOptions options, TaskStore store, TaskCodec codec,
			TaskEvents events, Consumer<Outcome> outcomes) {
		this.endpoint = endpoint;
		this.options = options;
		this.store = store;
		this.codec = codec;
		this.events = events;
		this.outcomes = outcomes;
		this.observer = events.observer();
	}

	/**
	 * Run tasks. Never throws.
	 * @param tasks the tasks, at most the batch size
	 * @return completes when the handler has ended and the outcomes are handed on; its
	 * value is how long the handler took for a task, zero if none was run
	 */
	CompletableFuture<Duration> run(List<Held> tasks) {
		List<Held> running = new ArrayList<>(tasks.size());
		List<Delivery<?>> deliveries = new ArrayList<>(tasks.size());
		for (Held held : tasks) {
			Delivery<?> delivery = prepare(held);
			if (delivery != null) {
				running.add(held);
				deliveries.add(delivery);
			}
		}
		if (running.isEmpty()) {
			return CompletableFuture.completedFuture(Duration.ZERO);
		}
		HandlerCall call = new HandlerCall(running, this.options.timeout());
		ObservedHandler observed = this.observer.isActive()
				? ObservedHandler.begin(this.observer, this.endpoint, deliveries) : null;
		this.calls.add(call);
		// before the call: it may be ended while it runs
		CompletableFuture<Duration> end = call.result().handle((results, error) -> {
			Duration took = call.elapsed();
			this.calls.remove(call);
			if (call.wasInterrupted()) {
				this.interrupted = true;
			}
			List<TaskResult> ended = ended(running.size(), results, error);
			if (observed != null) {
				observed.end(ended, (i) -> end(running.get(i), ended.get(i), took));
			}
			else {
				for (int i = 0; i < running.size(); i++) {
					end(running.get(i), ended.get(i), took);
				}
			}
			return took.dividedBy(running.size());
		});
		call.run((observed != null) ? observed : this.endpoint.handler(), List.copyOf(deliveries));
		return end;
	}

	private static List<TaskResult> ended(int size, @Nullable List<TaskResult> results, @Nullable Throwable error) {
		if (error != null || results == null) {
			return Collections.nCopies(size, failed(error));
		}
		results.replaceAll((result) -> (result != null) ? result : failed(null));
		return results;
	}

	/**
	 * Whether the current thread is in a handler of this container.
	 * @return whether it is
	 */
	boolean isCalledByHandler() {
		return callOfThisThread() != null;
	}

	private @Nullable HandlerCall callOfThisThread() {
		return this.calls.stream().filter(HandlerCall::isOnCurrentThread).findFirst().orElse(null);
	}

	/**
	 * Number of tasks in handlers that return only after the application has ended: that
	 * of the current thread, and those that end the JVM.
	 * @return the number, zero if there are none of this container
	 */
	int tasksThatWaitForTheEnd() {
		int tasks = 0;
		for (HandlerCall call : this.calls) {
			if (call.isEndingTheJvm()) {
				logger.warn("{} ends the JVM it runs in; its task is delivered again when the lease has run out: {}",
						this.endpoint.description(), ids(call));
				tasks += call.tasks().size();
			}
			else if (call.isOnCurrentThread()) {
				tasks += call.tasks().size();
			}
		}
		return tasks;
	}

	private static List<String> ids(HandlerCall call) {
		return call.tasks().stream().map((task) -> Names.printable(task.id())).toList();
	}

	/**
	 * End the call of the handler that the current thread is in, which closes the
	 * application.
	 * @return whether there was one
	 */
	boolean endCallOfThisThread() {
		HandlerCall call = callOfThisThread();
		if (call == null) {
			return false;
		}
		logger.info("{} closes the application it runs in; with that its task is done: {}", this.endpoint.description(),
				ids(call));
		call.endAsClosing();
		return true;
	}

	/**
	 * Whether somebody has interrupted a handler since this was last asked, other than
	 * because its time was over. For a container that is driven, whose handlers run on
	 * the thread of another.
	 * @return whether that thread should know of it
	 */
	boolean forgetInterruption() {
		boolean interrupted = this.interrupted;
		this.interrupted = false;
		return interrupted;
	}

	/**
	 * Number of handlers that were interrupted and took no notice.
	 * @return the number
	 */
	int stuck() {
		return (int) this.calls.stream().filter(HandlerCall::isStuck).count();
	}

	/**
	 * From now on handlers fail because they are interrupted: hand their tasks back.
	 */
	void abandon() {
		this.abandoned = true;
	}

	/**
	 * End calls of handlers that have returned and whose stages are not complete.
	 * @param cause why they failed
	 */
	void endUnfinished(Throwable cause) {
		this.calls.forEach((call) -> call.endIfReturned(cause));
	}

	/**
	 * Hand back tasks whose delivery could not be ended in any other way, after a while.
	 * @param tasks the tasks; those that have an outcome already keep it
	 */
	void handBack(List<Held> tasks) {
		tasks.forEach((held) -> this.outcomes.accept(Outcome.release(held, UNSUPPORTED_DELAY)));
	}

	/**
	 * End calls whose time is over.
	 */
	void endOverdueCalls() {
		long now = System.nanoTime();
		for (HandlerCall call : this.calls) {
			call.endIfOverdue(now);
			if (call.isFoundStuck(now)) {
				logger.warn(
						"{} takes no notice of having been interrupted when its timeout of {} was over. "
								+ "It keeps one of {} workers until it ends, and its tasks are delivered again: {}",
						this.endpoint.description(), this.options.timeout(), this.options.concurrency(), ids(call));
			}
		}
	}

	private static TaskResult failed(@Nullable Throwable error) {
		return TaskResult
			.failed((error != null) ? error : new IllegalStateException("The handler answered null for a task"));
	}

	private @Nullable Delivery<?> prepare(Held held) {
		try {
			return prepareChecked(held);
		}
		catch (UnsupportedEnvelopeException ex) {
			logger.warn("Task '{}' of queue '{}' was written by a later version and is handed back for {}: {}",
					Names.printable(held.id()), this.endpoint.queue(), UNSUPPORTED_DELAY, ex.getMessage());
			this.events.publish((listener) -> listener.onPollError(this.endpoint.queue(), ex));
			this.outcomes.accept(Outcome.release(held, UNSUPPORTED_DELAY));
		}
		catch (UnreadableTaskException ex) {
			bury(held, DeadReason.UNREADABLE, ex.getMessage());
		}
		catch (RuntimeException ex) {
			// its message may quote anything
			logger.error("Task '{}' of queue '{}' could not be prepared: {} at {}", Names.printable(held.id()),
					this.endpoint.queue(), ex.getClass().getName(), Arrays.toString(ex.getStackTrace()));
			bury(held, DeadReason.UNREADABLE, "It could not be prepared: " + ex.getClass().getName());
		}
		catch (Error ex) {
			// of a class that cannot be loaded, or of memory: perhaps not for ever
			end(held, TaskResult.failed(ex), Duration.ZERO);
		}
		return null;
	}

	private @Nullable Delivery<?> prepareChecked(Held held) {
		ClaimedRecord record = held.record();
		if (held.isOverdue(System.nanoTime())) {
			// nothing is charged if nobody has claimed it yet, else this is stale
			this.outcomes.accept(Outcome.release(held, null));
			return null;
		}
		TaskFailure failure = TaskFailure.ofClaimed(record.id(), record.expiries(), this.options.maxExpiries(),
				held.storeTime().now());
		if (failure != null) {
			bury(held, false, Duration.ZERO, failure);
			return null;
		}
		Envelope envelope = this.codec.readEnvelope(record.envelope());
		held.setOptions(envelope.options());
		if (!findRun(held)) {
			return null;
		}
		Instant skippedTo = skippedTo(held);
		if (skippedTo != null && held.isBegun()) {
			giveUp(held, false, Duration.ZERO, new TaskFailure(DeadReason.EXPIRED, null,
					"It was begun, and was not tried again before the time of the run after it: missed runs are "
							+ "skipped (onMissed)",
					held.storeTime().now()));
			return null;
		}
		if (skippedTo != null) {
			logger.info("Task '{}' of queue '{}' missed its run of {}, which is skipped; the next one is due at {}",
					Names.printable(held.id()), this.endpoint.queue(), record.dueAt(), skippedTo);
			this.outcomes.accept(Outcome.skip(held, skippedTo));
			return null;
		}
		Duration expiresAfter = (envelope.options().expiresAfter() != null) ? envelope.options().expiresAfter()
				: this.options.expiresAfter();
		Duration lateness = held.lateness();
		if (expiresAfter != null && lateness.compareTo(expiresAfter) > 0) {
			giveUp(held, false, Duration.ZERO,
					new TaskFailure(DeadReason.EXPIRED, null, "Overdue by " + lateness
							+ " when it was claimed, more than " + expiresAfter + " (expires-after)",
							held.storeTime().now()));
			return null;
		}
		Object payload = this.codec.readPayload(this.endpoint.queue(), record.id(), envelope,
				this.endpoint.payloadType());
		Duration ttr = envelope.options().ttr();
		if (ttr != null && !ttr.equals(this.options.ttr())) {
			held.changeTtr(QueueOptions.boundTtr(ttr));
		}
		DelayedTask<Object> task = new DelayedTask<>(this.endpoint.queue(), record.id(), payload, envelope.headers(),
				record.priority(), record.dueAt(), record.failures(), record.expiries(), held.runAt());
		this.events.publish((listener) -> listener.onStart(this.endpoint.queue(), record.id(), lateness));
		return new Delivery<>(task, new HeldContext(held, this.options.policy(envelope.options()), this.store));
	}

	/**
	 * Find the time of a run that has failed before: it is with the failure.
	 * @return whether it is known; else the task is handed back
	 */
	private boolean findRun(Held held) {
		if (held.options().recurrence() == null || held.record().failures() == 0) {
			return true;
		}
		try {
			this.store.find(this.endpoint.queue(), held.id())
				.map(StoredTask::failure)
				.map((failure) -> this.codec.readFailure(failure).runAt())
				.ifPresent(held::setRunAt);
			return true;
		}
		catch (RuntimeException ex) {
			logger.warn(
					"Task '{}' of queue '{}' is handed back for {}, because it cannot be found out for what time "
							+ "its retry is: {}",
					Names.printable(held.id()), this.endpoint.queue(), UNKNOWN_DELAY, Names.printable(ex));
			this.outcomes.accept(Outcome.release(held, UNKNOWN_DELAY));
			return false;
		}
	}

	/** When the task is due next if this run has come too late, else {@code null}. */
	private static @Nullable Instant skippedTo(Held held) {
		return held.isSkipped() ? held.nextRun() : null;
	}

	/**
	 * End a delivery as its result says.
	 * @return what the store is going to be told, {@code null} if the task is handed back
	 */
	private @Nullable DeliveryOutcome end(Held held, TaskResult result, Duration took) {
		if (this.abandoned && result instanceof TaskResult.Failed) {
			this.outcomes.accept(Outcome.release(held, null));
			return null;
		}
		try {
			return end(held, result, took, this.options.policy(held.options()));
		}
		catch (RuntimeException | Error ex) {
			logger.error("The redelivery policy for task '{}' of queue '{}' failed; the default settings are used",
					Names.printable(held.id()), this.endpoint.queue(), ex);
			return end(held, result, took, RetryOptions.DEFAULTS.toPolicy(this.options.noRetryFor()));
		}
	}

	private DeliveryOutcome end(Held held, TaskResult result, Duration took, RedeliveryPolicy policy) {
		int failures = held.record().failures() + 1;
		if (result instanceof TaskResult.Done) {
			return done(held, took);
		}
		if (result instanceof TaskResult.Again again) {
			return again(held, again.delay(), took);
		}
		if (result instanceof TaskResult.Bury bury) {
			TaskFailure failure = new TaskFailure(DeadReason.BURIED, null, bury.reason(), held.storeTime().now());
			return bury(held, true, took, failure);
		}
		if (result instanceof TaskResult.RetryAfter retry) {
			Duration allowed = policy.nextDelay(failures, null);
			return retryOrBury(held, (allowed != null) ? retry.delay() : null, null, took);
		}
		Throwable cause = ((TaskResult.Failed) result).cause();
		return retryOrBury(held, policy.nextDelay(failures, cause), cause, took);
	}

	private DeliveryOutcome done(Held held, Duration took) {
		if (held.options().recurrence() == null) {
			boolean keep = !this.options.retention().completed().isZero();
			return accept(held, Settlement.complete(held.id(), held.token(), keep), DeliveryOutcome.SUCCESS, took,
					null);
		}
		Instant next = held.nextRun();
		if (next == null) {
			return bury(held, false, took, TaskFailure.withoutNextRun(held.storeTime().now()));
		}
		return accept(held, Settlement.repeat(held.id(), held.token(), next), DeliveryOutcome.SUCCESS, took, null);
	}

	/** The next time of a recurring task stays as it is. */
	private DeliveryOutcome again(Held held, Duration delay, Duration took) {
		Instant next = held.nextRun();
		boolean sooner = next != null && Duration.between(held.storeTime().now(), next).compareTo(delay) < 0;
		return sooner ? done(held, took)
				: accept(held, Settlement.again(held.id(), held.token(), delay), DeliveryOutcome.SUCCESS, took, null);
	}

	private DeliveryOutcome retryOrBury(Held held, @Nullable Duration delay, @Nullable Throwable cause, Duration took) {
		DeadReason reason = (delay != null) ? null : whyDead(cause);
		TaskFailure failure = ofRun(held, describe(reason, cause, held.storeTime().now()));
		logFailure(held, (delay != null) ? "is retried after " + delay : "is given up", cause);
		if (delay == null) {
			return giveUp(held, true, took, failure);
		}
		return accept(held, Settlement.retry(held.id(), held.token(), delay, this.codec.writeFailure(failure)),
				DeliveryOutcome.RETRY, took, failure);
	}

	private static TaskFailure ofRun(Held held, TaskFailure failure) {
		return failure.ofRun((held.options().recurrence() != null) ? held.runAt() : null);
	}

	private static TaskFailure describe(@Nullable DeadReason reason, @Nullable Throwable cause, Instant at) {
		if (cause == null) {
			return new TaskFailure(reason, null, "The handler asked for a retry", at);
		}
		try {
			return TaskFailure.of(reason, cause, at);
		}
		catch (RuntimeException | Error ex) {
			return new TaskFailure(reason, cause.getClass().getName(),
					"Its message cannot be read: " + ex.getClass().getName(), at);
		}
	}

	private void logFailure(Held held, String consequence, @Nullable Throwable cause) {
		try {
			logger.debug("Task '{}' of queue '{}' failed and {}", Names.printable(held.id()), this.endpoint.queue(),
					consequence, cause);
		}
		catch (RuntimeException | Error ex) {
			logger.debug("Task '{}' of queue '{}' failed with an exception that cannot be logged and {}",
					Names.printable(held.id()), this.endpoint.queue(), consequence);
		}
	}

	private DeadReason whyDead(@Nullable Throwable cause) {
		return RedeliveryPolicy.isRetryable(cause, this.options.noRetryFor()) ? DeadReason.ATTEMPTS_EXHAUSTED
				: DeadReason.NOT_RETRYABLE;
	}

	private void bury(Held held, DeadReason reason, @Nullable String message) {
		bury(held, false, Duration.ZERO, new TaskFailure(reason, null, message, held.storeTime().now()));
	}

	/** A recurring task lives on: it is this run that is given up. */
	private DeliveryOutcome giveUp(Held held, boolean countFailure, Duration took, TaskFailure cause) {
		TaskFailure failure = ofRun(held, cause);
		Instant next = held.nextRun();
		if (next == null) {
			return bury(held, countFailure, took, failure);
		}
		return accept(held,
				Settlement.skip(held.id(), held.token(), countFailure, this.codec.writeFailure(failure), next),
				DeliveryOutcome.FAILED, took, failure);
	}

	private DeliveryOutcome bury(Held held, boolean countFailure, Duration took, TaskFailure cause) {
		TaskFailure failure = ofRun(held, cause);
		return accept(held, Settlement.bury(held.id(), held.token(), countFailure, this.codec.writeFailure(failure)),
				DeliveryOutcome.DEAD, took, failure);
	}

	/**
	 * Not if a transaction was rolled back, and it is still in flight as it was claimed.
	 */
	private boolean isScheduledAnew(Held held) {
		try {
			return this.store.find(this.endpoint.queue(), held.id())
				.filter((task) -> task.state() == TaskState.IN_FLIGHT && held.record().dueAt().equals(task.dueAt()))
				.isEmpty();
		}
		catch (RuntimeException ex) {
			logger.debug("Whether task '{}' of queue '{}' was scheduled anew is not known; its settlement will tell",
					Names.printable(held.id()), this.endpoint.queue(), ex);
			return false;
		}
	}

	private DeliveryOutcome accept(Held held, Settlement settlement, DeliveryOutcome event, Duration took,
			@Nullable TaskFailure failure) {
		if (event == DeliveryOutcome.SUCCESS && held.isReplacedByItsHandler() && isScheduledAnew(held)) {
			held.setOver();
		}
		this.outcomes.accept(new Outcome(held, settlement, event, took, failure));
		return event;
	}

}
