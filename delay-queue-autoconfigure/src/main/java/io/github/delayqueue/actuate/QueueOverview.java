package io.github.delayqueue.actuate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.actuate.QueueEntry.Group;
import io.github.delayqueue.run.Trouble;
import io.github.delayqueue.run.TroubleRules;
import io.github.delayqueue.store.TaskStore;

/**
 * Shows queues, the most urgent first. What is shown is read for it. If not all are, the
 * order is that of a few seconds ago: to know it, all of them are read, for a tenth of
 * the time at most. Thread-safe.
 */
final class QueueOverview {

	/** In a cluster, some queues may be out of reach and others not. */
	private static final int MAX_UNREACHABLE = 3;

	/** So many are put in order; there is no end to what can be announced. */
	private static final int MAX_RANKED = 5000;

	private static final long HOUR_NANOS = Duration.ofHours(1).toNanos();

	private static final long MIN_NANOS = Duration.ofSeconds(5).toNanos();

	private final TaskStore store;

	private final ListenerSwitch listeners;

	private final Predicate<String> journaled;

	private final TroubleRules rules;

	private final QueueForecasts forecasts;

	private final LongSupplier nanoTime;

	// Not synchronized: the store is called while it is held, perhaps on a virtual thread
	private final ReentrantLock lock = new ReentrantLock();

	/** So that a queue whose tasks are handled at once is not quiet between two looks. */
	private final Map<String, Seen> seen = new ConcurrentHashMap<>();

	private Map<String, Rank> ranks = Map.of();

	private long ranksUntil;

	QueueOverview(TaskStore store, ListenerSwitch listeners, Predicate<String> journaled, TroubleRules rules,
			QueueForecasts forecasts, LongSupplier nanoTime) {
		this.store = store;
		this.listeners = listeners;
		this.journaled = journaled;
		this.rules = rules;
		this.forecasts = forecasts;
		this.nanoTime = nanoTime;
		this.ranksUntil = nanoTime.getAsLong();
	}

	/** One queue, looked at closely. */
	QueueEntry describe(String queue) {
		return describe(queue, consumers(), true);
	}

	/**
	 * A page of queues.
	 * @param all the names of all queues
	 * @param wanted those of them that are asked for
	 */
	QueuesDescriptor page(Collection<String> all, List<String> wanted, int skip, int most) {
		this.seen.keySet().retainAll(all);
		if (skip == 0 && wanted.size() <= most) {
			Map<String, QueueEntry> entries = read(wanted, true);
			return page(entries, entries.entrySet().stream().map(Rank::of).toList());
		}
		Map<String, Rank> known = ranks(all);
		List<Rank> order = wanted.stream()
			.map((name) -> known.getOrDefault(name, Rank.unknown(name)))
			.sorted()
			.toList();
		return page(read(order.stream().skip(skip).limit(most).map(Rank::name).toList(), true), order);
	}

	private static QueuesDescriptor page(Map<String, QueueEntry> entries, List<Rank> all) {
		Map<Group, Integer> groups = new EnumMap<>(Group.class);
		for (Group group : Group.values()) {
			groups.put(group, (int) all.stream().filter((rank) -> rank.group == group).count());
		}
		List<String> order = entries.entrySet().stream().map(Rank::of).sorted().map(Rank::name).toList();
		return new QueuesDescriptor(entries, order, groups, all.size());
	}

	/** What has been done may have changed the order. */
	void changed() {
		this.lock.lock();
		try {
			this.ranksUntil = this.nanoTime.getAsLong();
		}
		finally {
			this.lock.unlock();
		}
	}

	private Map<String, Rank> ranks(Collection<String> names) {
		this.lock.lock();
		try {
			long start = this.nanoTime.getAsLong();
			if (start - this.ranksUntil >= 0) {
				this.ranks = read(names.stream().limit(MAX_RANKED).toList(), false).entrySet()
					.stream()
					.map(Rank::of)
					.collect(Collectors.toMap(Rank::name, (rank) -> rank));
				long end = this.nanoTime.getAsLong();
				this.ranksUntil = end + Math.max(MIN_NANOS, 9 * (end - start));
			}
			return this.ranks;
		}
		finally {
			this.lock.unlock();
		}
	}

	private Map<String, QueueEntry> read(List<String> names, boolean closely) {
		Map<String, QueueEntry> queues = new LinkedHashMap<>();
		QueueConsumers consumers = consumers();
		int unreachable = 0;
		StoreUnavailableException first = null;
		for (String queue : names) {
			if (unreachable == MAX_UNREACHABLE) {
				queues.put(queue, unreadable(queue, "Not tried, because others could not be reached"));
				continue;
			}
			try {
				queues.put(queue, describe(queue, consumers, closely));
			}
			catch (StoreUnavailableException ex) {
				unreachable++;
				first = (first != null) ? first : ex;
				queues.put(queue, unreadable(queue, ex.getMessage()));
			}
		}
		if (first != null && queues.values().stream().noneMatch(QueueDescriptor.class::isInstance)) {
			throw first;
		}
		return queues;
	}

	private QueueConsumers consumers() {
		return QueueConsumers.read(this.store, this.listeners::of);
	}

	private QueueEntry describe(String queue, QueueConsumers consumers, boolean closely) {
		try {
			QueueStats stats = this.store.stats(queue);
			int workers = consumers.workersOf(queue);
			List<Trouble> trouble = new ArrayList<>(this.rules.judge(stats, consumers.of(queue)));
			if (closely && TroubleRules.isWave(TroubleRules.withinAnHour(stats), workers)) {
				ForecastDescriptor.Bar highest = this.forecasts.nextHour(queue).highest();
				if (highest != null && TroubleRules.isWave(highest.tasks(), workers)) {
					trouble.add(TroubleRules.wave(highest.tasks(), highest.start(), workers));
				}
			}
			return QueueDescriptor.of(stats, this.journaled.test(queue), consumers.of(queue), workers,
					hasWorked(queue, stats.totals().completed()), trouble, this.listeners.of(queue));
		}
		catch (StoreUnavailableException ex) {
			throw ex;
		}
		catch (DelayQueueException ex) {
			return unreadable(queue, ex.getMessage());
		}
	}

	/** Within the last hour, as far as anybody has looked. */
	private boolean hasWorked(String queue, long completed) {
		long now = this.nanoTime.getAsLong();
		Seen last = this.seen.merge(queue, new Seen(completed, now - HOUR_NANOS),
				(before, first) -> (before.completed == completed) ? before : new Seen(completed, now));
		return now - last.changedAt < HOUR_NANOS;
	}

	private UnreadableQueueDescriptor unreadable(String queue, @Nullable String error) {
		return new UnreadableQueueDescriptor(String.valueOf(error),
				this.listeners.of(queue).stream().map(QueueDescriptor.Listener::of).toList());
	}

	private record Seen(long completed, long changedAt) {

	}

	/**
	 * How urgent a queue is.
	 *
	 * @param weight what comes first within a group: age of the oldest due task, or tasks
	 * handled
	 */
	private record Rank(String name, Group group, long weight) implements Comparable<Rank> {

		private static final Comparator<Rank> ORDER = Comparator.comparing(Rank::group)
			.thenComparing(Rank::weight, Comparator.reverseOrder())
			.thenComparing(Rank::name);

		static Rank of(Map.Entry<String, QueueEntry> entry) {
			QueueEntry queue = entry.getValue();
			return new Rank(entry.getKey(), queue.group(),
					(queue instanceof QueueDescriptor figures) ? weight(figures) : Long.MAX_VALUE);
		}

		private static long weight(QueueDescriptor queue) {
			return switch (queue.group()) {
				case DANGER, WARNING -> queue.oldestDueAge().toMillis();
				case WORKING -> queue.totals().completed();
				case QUIET -> 0;
			};
		}

		static Rank unknown(String name) {
			return new Rank(name, Group.QUIET, 0);
		}

		@Override
		public int compareTo(Rank other) {
			return ORDER.compare(this, other);
		}

	}

}
