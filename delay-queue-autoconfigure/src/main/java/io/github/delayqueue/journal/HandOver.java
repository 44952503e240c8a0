package io.github.delayqueue.journal;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.DuplicatePolicy;
import io.github.delayqueue.store.Generation;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.ScheduleOutcome;
import io.github.delayqueue.store.VersionedTaskStore;

/**
 * Gives tasks of the journal to the store that delivers them. Twice is harmless: the
 * store keeps what it has of the same or a later generation. Thread-safe.
 */
final class HandOver {

	private static final Logger logger = LoggerFactory.getLogger(HandOver.class);

	/** After a failure the loader hands over, and callers do not wait for the store. */
	private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(2);

	/** So long tasks wait for others to be handed over together with them. */
	private static final Duration LINGER = Duration.ofMillis(10);

	/** What is due so soon does not wait for others to be handed over with it. */
	private static final Duration URGENT = Duration.ofSeconds(1);

	private final VersionedTaskStore store;

	private final Clock clock;

	private final Duration horizon;

	/** By queue: a queue that the store does not answer for keeps no other waiting. */
	private final Map<String, PendingHandOvers> pending = new ConcurrentHashMap<>();

	private volatile @Nullable Executor executor;

	/** Until when callers do not try queues that have failed. */
	private final Map<String, Long> pausedUntilNanos = new ConcurrentHashMap<>();

	HandOver(VersionedTaskStore store, Clock clock, Duration horizon) {
		this.store = store;
		this.clock = clock;
		this.horizon = horizon;
	}

	/**
	 * Until when tasks have to be due to be in the store.
	 * @return the time in milliseconds since the epoch
	 */
	long untilMillis() {
		return this.clock.millis() + this.horizon.toMillis();
	}

	/**
	 * Let an executor hand over what is committed, so that callers need not wait for the
	 * store.
	 * @param executor has a thread for a step of each queue, always
	 */
	void start(Executor executor) {
		this.executor = executor;
	}

	/**
	 * Let callers hand over themselves, as long as no executor is there to do it.
	 */
	void stop() {
		this.executor = null;
		this.pending.values().forEach(PendingHandOvers::hurry);
	}

	/**
	 * Leave to a loader what is still to be handed over: the executor has ended.
	 */
	void abandon() {
		this.pending.values().forEach(PendingHandOvers::abandon);
	}

	/**
	 * Wait until all of a queue that was to be handed over so far has been, or could not
	 * be: to be called before any other step in the store, which may be about such a
	 * task.
	 * @param queue the queue
	 */
	void await(String queue) {
		PendingHandOvers pending = this.pending.get(queue);
		if (pending != null) {
			pending.await();
		}
	}

	/**
	 * Hand over what has been committed just now. If that fails, the loader does it: the
	 * tasks are safe.
	 * @param queue the queue
	 * @param tasks the tasks
	 */
	void afterCommit(String queue, List<Fresh> tasks) {
		long now = this.clock.millis();
		long until = now + this.horizon.toMillis();
		List<Fresh> near = tasks.stream().filter((task) -> task.dueMillis() <= until).toList();
		if (near.isEmpty()) {
			return;
		}
		if (isPaused(queue)) {
			return;
		}
		long urgentUntil = now + URGENT.toMillis();
		boolean urgent = near.stream().anyMatch((task) -> task.dueMillis() <= urgentUntil);
		PendingHandOvers pending = this.pending.computeIfAbsent(queue,
				(name) -> new PendingHandOvers(() -> this.executor, (batch) -> send(name, batch), LINGER));
		if (!pending.add(near, urgent)) {
			send(queue, near);
		}
	}

	private void send(String queue, List<Fresh> tasks) {
		if (isPaused(queue)) {
			return;
		}
		try {
			Instant now = this.clock.instant();
			this.store.schedule(queue, tasks.stream().map((task) -> task.toTask(now)).toList());
			this.pausedUntilNanos.remove(queue);
		}
		catch (RuntimeException ex) {
			failed(queue, tasks.size(), ex);
		}
	}

	/**
	 * Whether the store failed a moment ago, and is not to be tried by callers.
	 * @param queue the queue it failed for
	 * @return whether it did
	 */
	boolean isPaused(String queue) {
		Long until = this.pausedUntilNanos.get(queue);
		return until != null && System.nanoTime() - until < 0;
	}

	/**
	 * A step in the store after a commit failed.
	 * @param queue the queue
	 * @param tasks how many tasks it was for
	 * @param error why
	 */
	void failed(String queue, int tasks, RuntimeException error) {
		if (this.pausedUntilNanos.put(queue, System.nanoTime() + PAUSE_AFTER_FAILURE.toNanos()) == null) {
			logger.warn("{} tasks of queue '{}' are in the journal and could not be given to Redis; "
					+ "they will be, as soon as it answers: {}", tasks, queue, Names.printable(error));
		}
		logger.debug("Where tasks of queue '{}' could not be given to Redis", queue, error);
	}

	/**
	 * Hand over rows, at the time that they say.
	 * @param queue the queue
	 * @param rows the rows, with their envelopes
	 * @return for each whether the store did not have it
	 */
	List<Boolean> rows(String queue, List<Row> rows) {
		List<NewTask> tasks = new ArrayList<>(rows.size());
		for (Row row : rows) {
			tasks.add(task(row.taskId(), row.envelope(), row.generation(), new DueTime(false, row.dueMillis()),
					row.priority(), false));
		}
		List<ScheduleOutcome> outcomes = this.store.schedule(queue, tasks);
		this.pausedUntilNanos.remove(queue);
		return outcomes.stream().map((outcome) -> outcome != ScheduleOutcome.REJECTED).toList();
	}

	private static NewTask task(String id, byte[] envelope, long generation, DueTime due, TaskPriority priority,
			boolean generated) {
		return new NewTask(id, Generation.mark(envelope, generation), due, priority, DuplicatePolicy.NEWER, generated);
	}

	/**
	 * A task whose row was written just now.
	 *
	 * @param task the task as it was given
	 * @param generation that of its row
	 * @param dueMillis when it is due, as the row says
	 * @param since when the caller came with it: a delay counts from there, by the clock
	 * of the store
	 */
	record Fresh(NewTask task, long generation, long dueMillis, Instant since) {

		NewTask toTask(Instant now) {
			return HandOver.task(this.task.id(), this.task.envelope(), this.generation, remaining(now),
					this.task.priority(), this.task.generated());
		}

		/**
		 * What is left of a delay; a clock that was set back makes it no longer.
		 * @param now the time now
		 * @return when the task is due
		 */
		DueTime remaining(Instant now) {
			DueTime due = this.task.due();
			return (due.relative() && now.isAfter(this.since))
					? DueTime.in(Duration.ofMillis(due.millis()).minus(Duration.between(this.since, now))) : due;
		}

	}

}
