package io.github.delayqueue.recurring;

import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.Recurrence;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.convert.UnreadableTaskException;
import io.github.delayqueue.convert.UnsupportedEnvelopeException;
import io.github.delayqueue.listener.ConsumerPart;
import io.github.delayqueue.listener.ContainerThreads;
import io.github.delayqueue.listener.DelayQueueListenerEndpoint;
import io.github.delayqueue.listener.InvalidListenerException;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.StoredTask;

/**
 * The recurring task of a listener's own: sees to it that it is there once the container
 * has started, whichever instance comes first. One whose recurrence is the same is left
 * as it is; one whose recurrence has been changed is replaced, and a run of it that is
 * due or has been begun takes place before. A store that does not answer stops nothing:
 * it is tried again until it is done.
 */
final class ListenerTask {

	private static final Logger logger = LoggerFactory.getLogger(ListenerTask.class);

	private static final Duration FIRST_BACKOFF = Duration.ofMillis(500);

	private static final Duration MAX_BACKOFF = Duration.ofSeconds(30);

	/** How often a running instance looks whether the store has lost the task. */
	static final Duration LOOK_EVERY = Duration.ofMinutes(1);

	private final String queue;

	private final String id;

	private final Recurrence recurrence;

	private final ConsumerPart.Scope scope;

	private final ContainerThreads.Calls calls;

	/** Whether a journal restores what the store has lost. */
	private final boolean restored;

	private volatile boolean stopped;

	/** Used by one attempt after the other. */
	private Duration backoff = Duration.ZERO;

	/** Whether it has been said that a run is under way. */
	private boolean waits;

	/** How often another task of this id was there that had not been found before. */
	private int refusals;

	/**
	 * How many tasks of the queue the store has counted. It counts fewer only if it has
	 * lost them; the task alone may have been cancelled, and stays away then.
	 */
	private long counted;

	ListenerTask(ConsumerPart.Consumer consumer, Recurrence recurrence, ConsumerPart.Scope scope) {
		this.queue = consumer.endpoint().queue();
		this.id = consumer.endpoint().id();
		this.recurrence = recurrence;
		this.scope = scope;
		this.calls = scope.threads().claims(this.id, this.queue);
		this.restored = consumer.options().journal();
	}

	/** Refuse a listener that cannot have a task of its own. */
	static void check(DelayQueueListenerEndpoint endpoint) {
		if (endpoint.options().recurrence() == null) {
			return;
		}
		String objection = Names.objectionToTaskId(endpoint.id());
		if (objection != null) {
			throw invalid(endpoint, "has a recurring task of its own, and an id that " + objection,
					"Give it another id: the task has the same id.");
		}
		Type type = endpoint.payloadType();
		if (type != Object.class && type != String.class && type != CharSequence.class) {
			throw invalid(endpoint,
					"has a recurring task of its own, which has no payload, but takes one of type "
							+ type.getTypeName(),
					"Remove the parameter, or schedule the task in code: TaskRequest.queue(...).payload(...)"
							+ " with every(...) or cron(...).");
		}
	}

	/** A handler must not be called for the task of another. */
	static void check(DelayQueueListenerEndpoint endpoint, DelayQueueListenerEndpoint other) {
		boolean recurring = endpoint.options().recurrence() != null || other.options().recurrence() != null;
		if (recurring && !endpoint.description().equals(other.description())) {
			throw invalid(endpoint,
					"and " + other.description() + " listen to queue '" + endpoint.queue()
							+ "', so that either may get the recurring task of the other",
					"Give each a queue of its own.");
		}
	}

	private static InvalidListenerException invalid(DelayQueueListenerEndpoint endpoint, String problem,
			String action) {
		return new InvalidListenerException(endpoint.queue(), endpoint.description() + " " + problem, action, null);
	}

	void start() {
		call(this::attempt);
	}

	/**
	 * See to it that the task is there, on this thread.
	 * @throws io.github.delayqueue.DelayQueueException if the store cannot be asked
	 */
	void registerNow() {
		boolean there = register() || register();
		if (!there) {
			logger.warn("The recurring task of listener '{}' is not registered in queue '{}': the queue has one "
					+ "with other times whose run has not ended, or one that is scheduled and removed again "
					+ "and again", this.id, this.queue);
		}
	}

	void stop() {
		this.stopped = true;
	}

	/** It may wait for an answer. */
	private void call(Runnable call) {
		if (!this.calls.handOver(call, true)) {
			call.run();
		}
	}

	private void later(Runnable call, Duration delay) {
		try {
			this.calls.schedule(() -> call(call), delay);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The application ends before the recurring task of listener '{}' is looked for", this.id);
		}
	}

	private void attempt() {
		if (this.stopped) {
			return;
		}
		boolean there = false;
		try {
			there = register();
		}
		catch (RuntimeException | Error ex) {
			if (this.backoff.isZero()) {
				logger.warn("The recurring task of listener '{}' could not be registered in queue '{}'; it will be "
						+ "tried again until it can: {}", this.id, this.queue, Names.printable(ex));
			}
			logger.debug("Stack trace of the failed registration for listener '{}'", this.id, ex);
		}
		if (!there) {
			this.backoff = this.backoff.isZero() ? FIRST_BACKOFF : this.backoff.multipliedBy(2);
			this.backoff = (this.backoff.compareTo(MAX_BACKOFF) < 0) ? this.backoff : MAX_BACKOFF;
			later(this::attempt, this.backoff);
		}
		else if (!this.restored) {
			this.backoff = Duration.ZERO;
			this.counted = Math.max(this.counted, 1);
			later(this::look, LOOK_EVERY);
		}
	}

	private void look() {
		if (this.stopped) {
			return;
		}
		try {
			long counted = QueueView.of(this.scope.store()).stats(this.queue).totals().scheduled();
			boolean lost = counted < this.counted;
			this.counted = counted;
			if (lost) {
				logger.warn(
						"Redis has lost what queue '{}' had: it has counted fewer tasks than before. The "
								+ "recurring task of listener '{}' is registered again if it is missing",
						this.queue, this.id);
				attempt();
				return;
			}
		}
		catch (RuntimeException | Error ex) {
			logger.debug("The recurring task of listener '{}' was not looked for", this.id, ex);
		}
		later(this::look, LOOK_EVERY);
	}

	/**
	 * Look for the task, and schedule it where it is missing or another one.
	 * @return whether it is there; else one of other times is under way, or somebody else
	 * has just scheduled one
	 */
	private boolean register() {
		StoredTask known = this.scope.store().find(this.queue, this.id).orElse(null);
		if (known == null) {
			return schedule(Replacement.REJECT, next());
		}
		if (known.state() == TaskState.COMPLETED) {
			// one that was run once, and is kept
			return schedule(Replacement.REPLACE, next());
		}
		if (!isCurrent(known)) {
			return replace(known);
		}
		if (known.state() == TaskState.DEAD) {
			logger.warn("The recurring task '{}' of queue '{}' is dead until you redrive it", this.id, this.queue);
		}
		return true;
	}

	/** What a later version has written is left to it. */
	private boolean isCurrent(StoredTask task) {
		byte[] envelope = task.envelope();
		try {
			return envelope != null && isSame(this.scope.codec().readEnvelope(envelope).options().recurrence());
		}
		catch (UnsupportedEnvelopeException ex) {
			return true;
		}
		catch (UnreadableTaskException ex) {
			return false;
		}
	}

	/** Where steps are counted from matters only if somebody has said so. */
	private boolean isSame(@Nullable Recurrence other) {
		if (other == null || !this.recurrence.isLike(other)) {
			return false;
		}
		Instant first = this.recurrence.first();
		Duration period = this.recurrence.period();
		if (first == null || period == null) {
			return true;
		}
		return other.first() != null && Duration.between(first, other.first()).toMillis() % period.toMillis() == 0;
	}

	/** A run that is due, retried or in flight takes place all the same. */
	private boolean replace(StoredTask known) {
		boolean begun = known.state() == TaskState.IN_FLIGHT
				|| (known.state() == TaskState.SCHEDULED && known.failures() > 0);
		if (begun) {
			if (!this.waits) {
				logger.info("The recurring task of listener '{}' in queue '{}' is replaced ({}) when its current "
						+ "run has ended", this.id, this.queue, this.recurrence);
			}
			this.waits = true;
			return false;
		}
		Instant due = known.dueAt();
		Instant now = this.scope.threads().clock().instant();
		boolean missed = known.state() == TaskState.SCHEDULED && due != null && !due.isAfter(now)
				&& !this.recurrence.isSkipped(due, now);
		return schedule(Replacement.REPLACE, missed ? due : next());
	}

	private Instant next() {
		return Objects.requireNonNull(this.recurrence.next(this.scope.threads().clock().instant()),
				"A recurrence without a next time");
	}

	private boolean schedule(Replacement onDuplicate, Instant at) {
		long start = this.scope.threads().nanoTime();
		DueTime due = DueTime.at(at);
		Instant first = Instant.ofEpochMilli(due.millis());
		TaskOptions options = TaskOptions.NONE
			.withRecurrence((this.recurrence.first() != null) ? this.recurrence : this.recurrence.from(first));
		byte[] envelope = this.scope.codec()
			.writeEnvelope(this.queue, this.id, null, Map.of(), options, Long.MAX_VALUE);
		ScheduleOutcome outcome = this.scope.store()
			.schedule(this.queue, List.of(new NewTask(this.id, envelope, due, TaskPriority.NORMAL, onDuplicate)))
			.get(0);
		if (outcome == ScheduleOutcome.REJECTED) {
			if (++this.refusals == 2) {
				logger.warn("The recurring task of listener '{}' cannot be registered: queue '{}' has a task with "
						+ "this id that cannot be found; it will be tried again", this.id, this.queue);
			}
			return false;
		}
		logger.info("The recurring task of listener '{}' in queue '{}' is {} ({}), first due at {}", this.id,
				this.queue, (outcome == ScheduleOutcome.REPLACED) ? "replaced" : "registered", this.recurrence, first);
		Duration took = Duration.ofNanos(this.scope.threads().nanoTime() - start);
		this.scope.events().publish((listener) -> listener.onSchedule(this.queue, 1, took, null));
		return true;
	}

}
