package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Recurrence;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.convert.UnreadableTaskException;
import io.github.delayqueue.convert.UnsupportedEnvelopeException;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.DuplicatePolicy;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.ScheduleOutcome;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;

/**
 * The recurring task of a listener's own: sees to it that it is there once the container
 * has started, whichever instance comes first. One whose recurrence is the same is left
 * as it is; one whose recurrence has been changed is replaced. A store that does not
 * answer stops nothing: it is tried again until it is done.
 */
final class OwnTask {

	private static final Logger logger = LoggerFactory.getLogger(OwnTask.class);

	private static final Duration FIRST_BACKOFF = Duration.ofMillis(500);

	private static final Duration MAX_BACKOFF = Duration.ofSeconds(30);

	private final String queue;

	private final String id;

	private final Recurrence recurrence;

	private final TaskStore store;

	private final TaskCodec codec;

	private final TaskEvents events;

	private final ContainerThreads threads;

	/** Says when the task is run first. */
	private final Clock clock;

	private volatile boolean stopped;

	/** Used by one attempt after the other. */
	private Duration backoff = Duration.ZERO;

	private OwnTask(DelayQueueListenerEndpoint endpoint, Recurrence recurrence, TaskStore store, TaskCodec codec,
			TaskEvents events, ContainerThreads threads, Clock clock) {
		this.queue = endpoint.queue();
		this.id = endpoint.id();
		this.recurrence = recurrence;
		this.store = store;
		this.codec = codec;
		this.events = events;
		this.threads = threads;
		this.clock = clock;
	}

	static @Nullable OwnTask of(DelayQueueListenerEndpoint endpoint, TaskStore store, TaskCodec codec,
			TaskEvents events, ContainerThreads threads, Clock clock) {
		Recurrence recurrence = endpoint.options().recurrence();
		return (recurrence != null) ? new OwnTask(endpoint, recurrence, store, codec, events, threads, clock) : null;
	}

	void start() {
		submit(Duration.ZERO);
	}

	/**
	 * See to it that the task is there, on this thread.
	 * @throws io.github.delayqueue.DelayQueueException if the store cannot be asked
	 */
	void registerNow() {
		boolean there = register() || register();
		if (!there) {
			logger.warn("The recurring task of listener '{}' comes and goes in queue '{}'", this.id, this.queue);
		}
	}

	/** What is under way goes on. */
	void stop() {
		this.stopped = true;
	}

	private void submit(Duration delay) {
		try {
			// as a claim that will probably fail, because it may wait for an answer
			this.threads.timers()
				.schedule(() -> this.threads.claim(this::attempt, true), delay.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The application ends before the recurring task of listener '{}' is registered", this.id);
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
						+ "tried again until it can: {}", this.id, this.queue, ex.toString());
			}
			logger.debug("Where the recurring task of listener '{}' could not be registered", this.id, ex);
		}
		if (!there) {
			this.backoff = this.backoff.isZero() ? FIRST_BACKOFF : this.backoff.multipliedBy(2);
			this.backoff = (this.backoff.compareTo(MAX_BACKOFF) < 0) ? this.backoff : MAX_BACKOFF;
			submit(this.backoff);
		}
	}

	/**
	 * Look for the task, and schedule it where it is missing or another one.
	 * @return whether it is there; else somebody else has just scheduled one
	 */
	private boolean register() {
		Optional<StoredTask> known = this.store.find(this.queue, this.id)
			.filter((task) -> task.state() != TaskState.COMPLETED);
		if (known.isEmpty()) {
			return schedule(DuplicatePolicy.REJECT);
		}
		if (!isCurrent(known.get())) {
			return schedule(DuplicatePolicy.REPLACE);
		}
		if (known.get().state() == TaskState.DEAD) {
			logger.warn("The recurring task '{}' of queue '{}' is dead and stays so until it is redriven", this.id,
					this.queue);
		}
		return true;
	}

	/** What a later version has written is left to it. */
	private boolean isCurrent(StoredTask task) {
		byte[] envelope = task.envelope();
		try {
			return envelope != null && this.recurrence.isLike(this.codec.readEnvelope(envelope).options().recurrence());
		}
		catch (UnsupportedEnvelopeException ex) {
			return true;
		}
		catch (UnreadableTaskException ex) {
			return false;
		}
	}

	private boolean schedule(DuplicatePolicy onDuplicate) {
		long start = System.nanoTime();
		DueTime due = DueTime
			.at(Objects.requireNonNull(this.recurrence.next(this.clock.instant()), "A recurrence without a next time"));
		Instant first = Instant.ofEpochMilli(due.millis());
		TaskOptions options = TaskOptions.NONE.withRecurrence(this.recurrence.from(first));
		byte[] envelope = this.codec.writeEnvelope(this.queue, this.id, false, null, Map.of(), options, Long.MAX_VALUE);
		ScheduleOutcome outcome = this.store
			.schedule(this.queue, List.of(new NewTask(this.id, envelope, due, TaskPriority.NORMAL, onDuplicate)))
			.get(0);
		if (outcome == ScheduleOutcome.REJECTED) {
			return false;
		}
		logger.info("The recurring task of listener '{}' in queue '{}' is {} ({}), first due at {}", this.id,
				this.queue, (outcome == ScheduleOutcome.REPLACED) ? "replaced" : "registered", this.recurrence, first);
		Duration took = Duration.ofNanos(System.nanoTime() - start);
		this.events.publish((listener) -> listener.onSchedule(this.queue, 1, took, null));
		return true;
	}

}
