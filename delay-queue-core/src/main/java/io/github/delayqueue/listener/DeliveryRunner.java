package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.Names;
import io.github.delayqueue.convert.Envelope;
import io.github.delayqueue.convert.UnreadableTaskException;
import io.github.delayqueue.convert.UnsupportedEnvelopeException;
import io.github.delayqueue.event.ObservedDelivery;
import io.github.delayqueue.event.ObservedScope;
import io.github.delayqueue.event.TaskObserver;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.retry.RedeliveryPolicy;
import io.github.delayqueue.run.RunEnd;
import io.github.delayqueue.run.TaskRuns;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.Extension;
import io.github.delayqueue.store.TaskStore;

/**
 * Takes held tasks through the handler: sorts out what must not run, converts payloads,
 * calls the handler and turns its results into outcomes.
 */
final class DeliveryRunner {

	private static final Logger logger = LoggerFactory.getLogger(DeliveryRunner.class);

	private final DelayQueueListenerEndpoint endpoint;

	private final QueueOptions options;

	private final TaskRuns runs;

	private final LongSupplier handlerTime;

	private final Set<HandlerCall> calls = ConcurrentHashMap.newKeySet();

	private volatile boolean abandoned;

	DeliveryRunner(DelayQueueListenerEndpoint endpoint, QueueOptions options, TaskRuns runs, LongSupplier handlerTime) {
		this.endpoint = endpoint;
		this.options = options;
		this.runs = runs;
		this.handlerTime = handlerTime;
	}

	/**
	 * Run tasks. Never throws.
	 * @param tasks the tasks, at most the batch size
	 * @return completes when the handler has ended and the outcomes are handed on; its
	 * value is how long the handler took for a task, zero if none was run
	 */
	CompletableFuture<Duration> run(List<HeldTask> tasks) {
		List<HeldTask> running = new ArrayList<>(tasks.size());
		List<Delivery<?>> deliveries = new ArrayList<>(tasks.size());
		for (HeldTask task : tasks) {
			Delivery<?> delivery = prepare(task);
			if (delivery != null) {
				running.add(task);
				deliveries.add(delivery);
			}
		}
		if (running.isEmpty()) {
			return CompletableFuture.completedFuture(Duration.ZERO);
		}
		HandlerCall call = new HandlerCall(running, this.options, this.handlerTime);
		TaskObserver observer = this.runs.events().observer();
		ObservedDelivery observed = observer.isActive() ? observer.deliver(this.endpoint.queue(),
				deliveries.stream().<DelayedTask<?>>map(Delivery::task).toList()) : null;
		this.calls.add(call);
		if (this.abandoned) {
			call.interrupt();
		}
		// before the call: it may be ended while it runs
		CompletableFuture<Duration> end = call.result().handle((results, error) -> {
			Duration took = call.elapsed();
			this.calls.remove(call);
			callEnd(took).end(running, ended(running.size(), results, error), observed);
			return took.dividedBy(running.size());
		});
		call.run((observed != null) ? (given) -> handle(given, observed) : this.endpoint.handler(),
				List.copyOf(deliveries));
		return end;
	}

	private CompletionStage<List<TaskResult>> handle(List<Delivery<?>> deliveries, ObservedDelivery observed)
			throws Exception {
		ObservedScope scope = observed.open();
		try {
			return this.endpoint.handler().handle(deliveries);
		}
		finally {
			scope.close();
		}
	}

	private CallEnd callEnd(Duration took) {
		return new CallEnd(this.options, this.runs.store(), this.abandoned, took);
	}

	private static List<TaskResult> ended(int size, @Nullable List<TaskResult> results, @Nullable Throwable error) {
		if (error != null || results == null) {
			return Collections.nCopies(size, failed(error));
		}
		results.replaceAll((result) -> (result != null) ? result : failed(null));
		return results;
	}

	/** Whether the current thread is in a handler of this container. */
	boolean isCalledByHandler() {
		return callOfThisThread() != null;
	}

	private @Nullable HandlerCall callOfThisThread() {
		return this.calls.stream().filter(HandlerCall::isOnCurrentThread).findFirst().orElse(null);
	}

	/** Number of tasks in handlers. */
	int active() {
		return this.calls.stream().mapToInt(HandlerCall::size).sum();
	}

	/** Tasks in handlers, those that have been there for longest, and for how long. */
	Map<String, Duration> longest(int most) {
		Map<String, Duration> longest = new LinkedHashMap<>();
		this.calls.stream()
			.sorted(Comparator.comparingLong(HandlerCall::startedAt))
			.limit(most)
			.forEach((call) -> call.ids().stream().limit(most).forEach((id) -> longest.put(id, call.elapsed())));
		return longest;
	}

	/**
	 * Number of calls of handlers that return only after the application has ended: that
	 * of the current thread, and those that end the JVM.
	 */
	int callsThatWaitForTheEnd() {
		int calls = 0;
		for (HandlerCall call : this.calls) {
			if (call.isFoundEndingTheJvm()) {
				logger.warn("{} ends the JVM it runs in; its task is delivered again when the lease has run out: {}",
						this.endpoint.description(), call.ids());
			}
			if (call.isWaitingForTheEnd()) {
				calls++;
			}
		}
		return calls;
	}

	/**
	 * End the call of the handler that the current thread is in, which closes the
	 * application.
	 */
	boolean endCallOfThisThread() {
		HandlerCall call = callOfThisThread();
		if (call == null) {
			return false;
		}
		logger.info("{} closes the application it runs in; its task counts as done: {}", this.endpoint.description(),
				call.ids());
		call.endAsClosing();
		return true;
	}

	/** Number of handlers that were interrupted and took no notice. */
	int stuck() {
		return (int) this.calls.stream().filter(HandlerCall::isStuck).count();
	}

	/** Interrupt the handlers. Their tasks are released if they fail from now on. */
	void abandon() {
		this.abandoned = true;
		this.calls.forEach(HandlerCall::interrupt);
	}

	void endOverdueCalls() {
		long now = this.handlerTime.getAsLong();
		for (HandlerCall call : this.calls) {
			call.endIfOverdue(now);
			if (call.isFoundStuck(now)) {
				logger.warn(
						"{} ignored the interrupt at its timeout of {}. "
								+ "It keeps one of {} workers until it ends, and its tasks are delivered again: {}",
						this.endpoint.description(), Names.printable(this.options.handlerTimeout()),
						this.options.concurrency(), call.ids());
			}
		}
	}

	private static TaskResult failed(@Nullable Throwable error) {
		return TaskResult
			.failed((error != null) ? error : new IllegalStateException("The handler returned null for a task"));
	}

	/** What the handler gets, {@code null} if it must not run and has its end. */
	private @Nullable Delivery<?> prepare(HeldTask task) {
		try {
			RunEnd refused = task.isLeaseLost(task.nanoTime())
					// nothing is charged if nobody has claimed it yet, else this is stale
					? task.release(null) : task.refused();
			if (refused != null) {
				return refuse(task, refused);
			}
			Envelope envelope = task.read();
			RunEnd tooLate = task.tooLate();
			return (tooLate != null) ? refuse(task, tooLate) : prepare(task, envelope);
		}
		catch (UnsupportedEnvelopeException ex) {
			return refuse(task, task.releaseUnsupported(ex));
		}
		catch (UnreadableTaskException ex) {
			return refuse(task, task.deadLetter(false, task.failure(DeadReason.UNREADABLE, ex.getProblem())));
		}
		catch (RuntimeException ex) {
			// its message may quote anything
			logger.error("Task '{}' of queue '{}' could not be prepared: {} at {}", Names.printable(task.id()),
					task.queue(), ex.getClass().getName(), Arrays.toString(ex.getStackTrace()));
			return refuse(task, task.deadLetter(false,
					task.failure(DeadReason.UNREADABLE, "It could not be prepared: " + ex.getClass().getName())));
		}
		catch (Error ex) {
			// of a class that cannot be loaded, or of memory: perhaps not for ever
			callEnd(Duration.ZERO).end(List.of(task), List.of(TaskResult.failed(ex)), null);
			return null;
		}
	}

	private static @Nullable Delivery<?> refuse(HeldTask task, RunEnd end) {
		task.endWith(end);
		return null;
	}

	private Delivery<?> prepare(HeldTask task, Envelope envelope) {
		ClaimedRecord record = task.record();
		Object payload = this.runs.codec().readPayload(task.queue(), task.id(), envelope, this.endpoint.payloadType());
		Duration leaseDuration = envelope.options().leaseDuration();
		if (leaseDuration != null && !leaseDuration.equals(this.options.leaseDuration())) {
			task.changeLeaseDuration(QueueOptions.boundLeaseDuration(leaseDuration));
		}
		DelayedTask<Object> delayed = new DelayedTask<>(task.queue(), task.id(), payload, envelope.headers(),
				record.priority(), record.dueAt(), record.failures(), record.leasesLost(), task.runAt());
		task.started();
		return new Delivery<>(delayed,
				new HeldTaskContext(task, this.options.policy(envelope.options()), this.runs.store()));
	}

	/** What a handler can ask and do about a held task. */
	private record HeldTaskContext(HeldTask task, RedeliveryPolicy policy, TaskStore store) implements TaskContext {

		@Override
		public boolean extend(Duration leaseDuration) {
			Duration longest = QueueOptions.MAX_DURATION;
			Duration bounded = (this.task.requireLeaseDuration(leaseDuration).compareTo(longest) > 0) ? longest
					: leaseDuration;
			long sentAt = this.task.nanoTime();
			Extension extension = new Extension(this.task.id(), this.task.token(), bounded);
			boolean extended = this.store.extend(this.task.source(), List.of(extension)).get(0);
			if (extended) {
				this.task.extendedByItsHandler(sentAt, bounded);
			}
			else {
				this.task.loseLease();
			}
			return extended;
		}

		@Override
		public boolean isLeaseLost() {
			return this.task.isLeaseLost(this.task.nanoTime());
		}

		@Override
		public boolean isCancelled() {
			return this.task.isCancelled();
		}

		@Override
		public int maxAttempts() {
			return this.policy.maxAttempts();
		}

		@Override
		public boolean isLastAttempt() {
			return this.task.attempt() >= maxAttempts();
		}

	}

}
