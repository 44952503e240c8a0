package io.github.delayqueue.journal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;

/**
 * Gives tasks of the journal to the store that delivers them. Twice is harmless: the
 * store keeps what it has of the same or a later generation. Thread-safe.
 */
final class HandOver {

	private static final Logger logger = LoggerFactory.getLogger(HandOver.class);

	/** For so long callers do not wait for the store, and the loader hands over. */
	private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(2);

	/** So long tasks wait for others to be handed over together with them. */
	private static final Duration LINGER = Duration.ofMillis(10);

	/** What is due so soon does not wait for others to be handed over with it. */
	private static final Duration URGENT = Duration.ofSeconds(1);

	private final TaskStore store;

	private final DatabaseClock clock;

	private final Duration horizon;

	/** By queue: a queue that the store does not answer for keeps no other waiting. */
	private final Map<String, PendingHandOvers> pending = new ConcurrentHashMap<>();

	private volatile @Nullable Executor executor;

	private final Map<String, Long> pausedUntil = new ConcurrentHashMap<>();

	private final Predicate<String> refused;

	HandOver(TaskStore store, DatabaseClock clock, Duration horizon, Predicate<String> refused) {
		this.store = store;
		this.clock = clock;
		this.horizon = horizon;
		this.refused = refused;
	}

	long untilMillis() {
		return this.clock.millis() + this.horizon.toMillis();
	}

	/** The executor has a thread for each queue, always. */
	void start(Executor executor) {
		this.executor = executor;
		// what came while the last one was stopped
		this.pending.values().forEach((pending) -> executor.execute(pending::send));
	}

	/** Hand over all that waits; then callers do so, until there is another executor. */
	void stop() {
		Executor executor = this.executor;
		this.executor = null;
		if (executor != null) {
			this.pending.values().forEach((pending) -> executor.execute(pending::send));
		}
	}

	/**
	 * See that nothing waits any more: before any other step in the store, which may be
	 * about such a task.
	 */
	void await(String queue) {
		PendingHandOvers pending = this.pending.get(queue);
		if (pending != null) {
			pending.send();
		}
	}

	/** What fails is made up for by claims and loaders: the table has the say. */
	void inStore(String queue, Runnable step) {
		attempt(queue, 1, false, () -> {
			await(queue);
			step.run();
			return true;
		});
	}

	/** Call the store, unless it failed a moment ago. */
	private <T> T attempt(String queue, int tasks, T otherwise, Supplier<T> call) {
		if (isPaused(queue)) {
			return otherwise;
		}
		try {
			return call.get();
		}
		catch (RuntimeException ex) {
			failed(queue, tasks, ex);
			return otherwise;
		}
	}

	/**
	 * The task of the same generation: an older one may have another content. If the
	 * store cannot be asked, the row has the say.
	 */
	Optional<StoredTask> inStore(String queue, Row row) {
		boolean mayBeHanded = row.dueMillis() <= untilMillis();
		Optional<StoredTask> known = mayBeHanded
				? attempt(queue, 1, Optional.empty(), () -> this.store.find(queue, row.taskId())) : Optional.empty();
		return known.filter((task) -> Row.generation(task) == row.generation());
	}

	/** What fails here is left to the loader. */
	void afterCommit(String queue, List<FreshTask> tasks) {
		long now = this.clock.millis();
		long until = now + this.horizon.toMillis();
		List<FreshTask> near = tasks.stream().filter((task) -> task.arrival().dueMillis() <= until).toList();
		if (near.isEmpty() || isPaused(queue)) {
			return;
		}
		Executor executor = this.executor;
		if (executor == null) {
			send(queue, near);
			return;
		}
		long urgentUntil = now + URGENT.toMillis();
		boolean urgent = near.stream().anyMatch((task) -> task.arrival().dueMillis() <= urgentUntil);
		this.pending.computeIfAbsent(queue, (name) -> new PendingHandOvers((batch) -> send(name, batch)))
			.add(near, urgent ? Duration.ZERO : LINGER, executor);
	}

	private void send(String queue, List<FreshTask> tasks) {
		attempt(queue, tasks.size(), false, () -> {
			Instant now = this.clock.earliest();
			this.store.schedule(queue, tasks.stream().map((task) -> task.toHandOver(now)).toList());
			this.pausedUntil.remove(queue);
			return true;
		});
	}

	boolean isPaused(String queue) {
		if (this.refused.test(queue)) {
			return true;
		}
		Long until = this.pausedUntil.get(queue);
		long left = (until != null) ? until - this.clock.millis() : 0;
		// not for longer if the clock is set back
		return left > 0 && left <= PAUSE_AFTER_FAILURE.toMillis();
	}

	void failed(String queue, int tasks, RuntimeException error) {
		if (this.pausedUntil.put(queue, this.clock.millis() + PAUSE_AFTER_FAILURE.toMillis()) == null) {
			logger.warn("{} tasks of queue '{}' are in the journal and could not be given to Redis; "
					+ "they will be, as soon as it answers: {}", tasks, queue, Names.printable(error));
		}
		logger.debug("Stack trace of the failed hand-over in queue '{}'", queue, error);
	}

	/** Hand over rows, and answer which the store did not have. */
	Set<Key> rows(String queue, List<Row> rows) {
		Instant now = this.clock.earliest();
		List<ScheduleOutcome> outcomes = this.store.schedule(queue,
				rows.stream().map((row) -> row.toHandOver(now)).toList());
		this.pausedUntil.remove(queue);
		return IntStream.range(0, rows.size())
			.filter((i) -> outcomes.get(i) != ScheduleOutcome.REJECTED)
			.mapToObj((i) -> rows.get(i).key())
			.collect(Collectors.toSet());
	}

}
