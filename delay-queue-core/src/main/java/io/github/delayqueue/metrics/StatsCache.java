package io.github.delayqueue.metrics;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.StoreUnavailableException;
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

	private final Map<String, CachedStats> entries = new HashMap<>();

	/** When the figures of a queue were refused. */
	private final Map<String, Instant> refused = new HashMap<>();

	private @Nullable Instant unreachableAt;

	StatsCache(TaskStore store, Clock clock) {
		this.store = store;
		this.clock = clock;
	}

	/** The figures of a queue, {@code null} if the store does not answer. */
	@Nullable QueueStats get(String queue) {
		return locked(() -> {
			CachedStats entry = this.entries.get(queue);
			return (entry != null && isRecent(entry.readAt())) ? entry.stats() : read(queue);
		});
	}

	/**
	 * The figures of a queue, old ones if the store does not answer, for what only grows;
	 * {@code null} if there never were any.
	 */
	@Nullable QueueStats latest(String queue) {
		return locked(() -> {
			QueueStats stats = get(queue);
			CachedStats entry = this.entries.get(queue);
			return (stats == null && entry != null) ? entry.stats() : stats;
		});
	}

	/** The value of a gauge, {@code NaN} if the store does not answer. */
	double value(String queue, QueueGauges.Value value) {
		return locked(() -> {
			QueueStats stats = get(queue);
			if (stats == null && !isRecent(this.refused.get(queue))) {
				return Double.NaN;
			}
			try {
				return value.of(queue, stats);
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

	private <T extends @Nullable Object> T locked(Supplier<T> look) {
		this.lock.lock();
		try {
			return look.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	private @Nullable QueueStats read(String queue) {
		if (isRecent(this.unreachableAt) || isRecent(this.refused.get(queue))) {
			return null;
		}
		try {
			QueueStats stats = this.store.view().stats(queue);
			this.entries.put(queue, new CachedStats(stats, this.clock.instant()));
			this.refused.remove(queue);
			this.unreachableAt = null;
			return stats;
		}
		catch (StoreUnavailableException ex) {
			this.unreachableAt = this.clock.instant();
			logger.debug("Gauges of the delay queue have no value: the store does not answer", ex);
			return null;
		}
		catch (DelayQueueException ex) {
			this.refused.put(queue, this.clock.instant());
			logger.debug("Gauges of queue '{}' have no value: the store refuses its figures", queue, ex);
			return null;
		}
	}

	private boolean isRecent(@Nullable Instant time) {
		if (time == null) {
			return false;
		}
		Duration age = Duration.between(time, this.clock.instant());
		return !age.isNegative() && age.compareTo(MAX_AGE) < 0;
	}

	private record CachedStats(QueueStats stats, Instant readAt) {

	}

}
