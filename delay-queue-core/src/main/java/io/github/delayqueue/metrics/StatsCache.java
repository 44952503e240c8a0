package io.github.delayqueue.metrics;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.run.Consumers;
import io.github.delayqueue.run.Trouble;
import io.github.delayqueue.run.TroubleRules;
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

	private @Nullable Consumers consumers;

	private @Nullable Instant consumersAt;

	private @Nullable Instant unreachableAt;

	StatsCache(TaskStore store, Clock clock) {
		this.store = store;
		this.clock = clock;
	}

	/** The figures of a queue, {@code null} if the store does not answer. */
	@Nullable QueueStats get(String queue) {
		this.lock.lock();
		try {
			CachedStats entry = this.entries.get(queue);
			return (entry != null && isRecent(entry.readAt())) ? entry.stats() : read(queue);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * The figures of a queue, old ones if the store does not answer, for what only grows;
	 * {@code null} if there never were any.
	 */
	@Nullable QueueStats latest(String queue) {
		this.lock.lock();
		try {
			QueueStats stats = get(queue);
			CachedStats entry = this.entries.get(queue);
			return (stats == null && entry != null) ? entry.stats() : stats;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * What is wrong with a queue.
	 * @param rules what to judge its figures by
	 * @return the troubles, {@code null} if the store does not answer
	 */
	@Nullable List<Trouble> trouble(String queue, TroubleRules rules) {
		this.lock.lock();
		try {
			QueueStats stats = get(queue);
			if (stats != null) {
				Consumers known = consumers();
				return rules.judge(stats, (known != null) ? known.of(queue) : null);
			}
			return isRecent(this.refused.get(queue)) ? List.of(TroubleRules.unreadable("")) : null;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Of all queues; {@code null} if they cannot be told. */
	private @Nullable Consumers consumers() {
		if (!isRecent(this.consumersAt)) {
			this.consumersAt = this.clock.instant();
			try {
				this.consumers = Consumers.read(this.store).orElse(null);
			}
			catch (DelayQueueException ex) {
				this.consumers = null;
				logger.debug("It cannot be told who consumes queues", ex);
			}
		}
		return this.consumers;
	}

	private @Nullable QueueStats read(String queue) {
		if (isRecent(this.unreachableAt) || isRecent(this.refused.get(queue))) {
			return null;
		}
		try {
			QueueStats stats = this.store.stats(queue);
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
