package io.github.delayqueue.metrics;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.ToDoubleBiFunction;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.TaskStore;

/**
 * Figures of queues, read from the store at most once in {@link #MAX_AGE}, so that the
 * gauges of a queue cost one call. A store that cannot be reached is left alone for the
 * same time, for all queues: a scrape waits for one time limit, not for one per queue. A
 * queue whose figures are refused, because one of its keys is spoiled for instance, is
 * left alone by itself. Thread-safe.
 */
class StatsCache {

	static final Duration MAX_AGE = Duration.ofSeconds(5);

	private static final Logger logger = LoggerFactory.getLogger(StatsCache.class);

	private final TaskStore store;

	private final Clock clock;

	// Not synchronized: the store is called while it is held, perhaps on a virtual thread
	private final ReentrantLock lock = new ReentrantLock();

	private final Map<String, Reading> readings = new HashMap<>();

	private Instant unreachableAt = Instant.MIN;

	StatsCache(TaskStore store, Clock clock) {
		this.store = store;
		this.clock = clock;
	}

	/** What the store has said of a queue; no figures if they are refused. */
	private record Reading(Instant at, @Nullable QueueStats stats, @Nullable QueueStats latest) {

	}

	/** The figures of a queue, {@code null} if the store does not answer. */
	@Nullable QueueStats get(String queue) {
		return locked(queue, (reading) -> (reading != null) ? reading.stats() : null);
	}

	/** Old ones if the store does not answer, for what only grows. */
	@Nullable QueueStats latest(String queue) {
		return locked(queue, (reading) -> {
			Reading latest = (reading != null) ? reading : this.readings.get(queue);
			return (latest != null) ? latest.latest() : null;
		});
	}

	/** The value of a gauge, {@code NaN} if the store does not answer. */
	double value(String queue, ToDoubleBiFunction<String, @Nullable QueueStats> value) {
		return locked(queue, (reading) -> {
			try {
				return (reading != null) ? value.applyAsDouble(queue, reading.stats()) : Double.NaN;
			}
			catch (DelayQueueException ex) {
				if (ex instanceof StoreUnavailableException) {
					this.unreachableAt = this.clock.instant();
				}
				logger.debug("A gauge of queue '{}' has no value", queue, ex);
				return Double.NaN;
			}
		});
	}

	private <T extends @Nullable Object> T locked(String queue, Function<@Nullable Reading, T> look) {
		this.lock.lock();
		try {
			return look.apply(read(queue));
		}
		finally {
			this.lock.unlock();
		}
	}

	private @Nullable Reading read(String queue) {
		Reading before = this.readings.get(queue);
		if (before != null && isRecent(before.at())) {
			return before;
		}
		if (isRecent(this.unreachableAt)) {
			return null;
		}
		try {
			QueueStats stats = QueueView.of(this.store).stats(queue);
			this.readings.put(queue, new Reading(this.clock.instant(), stats, stats));
			this.unreachableAt = Instant.MIN;
		}
		catch (StoreUnavailableException ex) {
			this.unreachableAt = this.clock.instant();
			logger.debug("Gauges of the delay queue have no value: the store does not answer", ex);
			return null;
		}
		catch (DelayQueueException ex) {
			this.readings.put(queue,
					new Reading(this.clock.instant(), null, (before != null) ? before.latest() : null));
			logger.debug("Gauges of queue '{}' have no value: the store refuses its figures", queue, ex);
		}
		return this.readings.get(queue);
	}

	private boolean isRecent(Instant time) {
		Duration age = Duration.between(time, this.clock.instant());
		return !age.isNegative() && age.compareTo(MAX_AGE) < 0;
	}

}
