package io.github.delayqueue.console;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.console.QueueEntry.Group;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.TaskStore;

/**
 * Shows queues, the most urgent first or by a column. The figures shown are read for it.
 * If not all queues are shown, all are read now and then, twenty a second and for a tenth
 * of the time at most, to know which come first; nobody waits for such a reading but who
 * starts it. Thread-safe.
 */
final class QueueOverview {

	private static final Logger logger = LoggerFactory.getLogger(QueueOverview.class);

	/** In a cluster, some queues may be out of reach and others not. */
	private static final int MAX_UNREACHABLE = 3;

	/** So many are put in order; there is no end to what can be announced. */
	private static final int MAX_RANKED = 5000;

	private static final long HOUR_NANOS = Duration.ofHours(1).toNanos();

	/** Over how long it is measured how many tasks are handled, at least. */
	private static final long RATE_NANOS = Duration.ofSeconds(10).toNanos();

	/** How long a reading of all takes at most, and the least time between two. */
	private static final long READING_NANOS = Duration.ofSeconds(5).toNanos();

	/**
	 * The same for each that was read, so that a thousand cost Redis no more than
	 * hundred.
	 */
	private static final long READING_OF_ONE_NANOS = Duration.ofMillis(50).toNanos();

	/**
	 * For how long figures are good of queues in which nothing happens: of one that is
	 * shown, and of others.
	 */
	private static final Duration SHOWN_FRESH = Duration.ofMinutes(1);

	private static final Duration FRESH = Duration.ofMinutes(10);

	private final TaskStore store;

	private final LatestFigures figures;

	private final ListenerSwitch listeners;

	private final Predicate<String> journaled;

	private final TroubleRules rules;

	private final QueueForecasts forecasts;

	private final LongSupplier nanoTime;

	/** So that a queue whose tasks are handled at once is not quiet between two looks. */
	private final Map<String, Seen> seen = new ConcurrentHashMap<>();

	/** How many have died lately, of queues that are shown. */
	private final RecentDeaths deaths;

	private final ShownQueues shown = new ShownQueues();

	/** As of when each queue was last read. */
	private final Map<String, QueueRank> ranks = new ConcurrentHashMap<>();

	/** Whether somebody reads all: only he uses the two below. */
	private final AtomicBoolean reading = new AtomicBoolean();

	private long nextReading;

	/** Where the next reading begins. */
	private int next;

	QueueOverview(TaskStore store, ListenerSwitch listeners, Predicate<String> journaled, TroubleRules rules,
			QueueForecasts forecasts, LongSupplier nanoTime) {
		this.store = store;
		this.figures = new LatestFigures(store, journaled, nanoTime);
		this.listeners = listeners;
		this.journaled = journaled;
		this.rules = rules;
		this.forecasts = forecasts;
		this.nanoTime = nanoTime;
		this.deaths = new RecentDeaths(store, forecasts.clock(), nanoTime);
		this.nextReading = nanoTime.getAsLong();
	}

	/** One queue, looked at closely. */
	QueueEntry describe(String queue) {
		return read(queue, this.listeners.consumers(), null, Duration.ZERO);
	}

	/**
	 * A page of those of {@code all} queues that are {@code wanted}, in some order,
	 * without the figures of those that have not changed {@code since} another one.
	 */
	QueuesDescriptor page(Collection<String> all, List<String> wanted, Comparator<QueueRank> order, int skip, int most,
			@Nullable String since) {
		this.seen.keySet().retainAll(all);
		this.ranks.keySet().retainAll(all);
		this.figures.retain(all);
		this.shown.retain(all);
		if (skip > 0 || wanted.size() > most) {
			rankAll(all);
		}
		List<QueueRank> page = wanted.stream().map(this::rank).sorted(order).skip(skip).limit(most).toList();
		// those that could not be read come last, so that the others are tried
		Map<String, QueueEntry> queues = read(
				page.stream().sorted(Comparator.comparing(QueueRank::isUnreadable)).map(QueueRank::name).toList(),
				this.nanoTime.getAsLong() + HOUR_NANOS, SHOWN_FRESH);
		page.forEach((rank) -> queues.computeIfAbsent(rank.name(),
				(name) -> UnreadableQueueDescriptor.untried(rank.group(), this.listeners.consumers().own(name))));
		Map<Group, Integer> groups = new EnumMap<>(Group.class);
		for (Group group : Group.values()) {
			groups.put(group, (int) wanted.stream().filter((name) -> rank(name).group() == group).count());
		}
		List<String> names = queues.keySet().stream().map(this::rank).sorted(order).map(QueueRank::name).toList();
		return new QueuesDescriptor(queues, sums(wanted), this.deaths.of(queues, all),
				this.shown.leaveOut(queues, since), names, groups, wanted.size());
	}

	private QueuesDescriptor.@Nullable Sums sums(List<String> wanted) {
		return this.ranks.keySet().containsAll(wanted) ? QueuesDescriptor.Sums.of(wanted.stream()
			.flatMap((name) -> Stream.ofNullable(rank(name).figures()))
			.map(QueueDescriptor::stats)
			.toList()) : null;
	}

	private QueueRank rank(String queue) {
		return this.ranks.getOrDefault(queue, QueueRank.unknown(queue));
	}

	private void rankAll(Collection<String> names) {
		if (!this.reading.compareAndSet(false, true)) {
			return;
		}
		try {
			long start = this.nanoTime.getAsLong();
			if (start - this.nextReading >= 0 && !names.isEmpty()) {
				this.nextReading = start + READING_NANOS;
				List<String> all = new ArrayList<>(names.stream().limit(MAX_RANKED).toList());
				Collections.rotate(all, -this.next);
				int read = read(all, start + READING_NANOS, FRESH).size();
				this.next = (this.next + read) % all.size();
				long end = this.nanoTime.getAsLong();
				this.nextReading = end
						+ Math.max(READING_NANOS, Math.max(read * READING_OF_ONE_NANOS, 9 * (end - start)));
			}
		}
		finally {
			this.reading.set(false);
		}
	}

	/** Read queues until some time, or until too many are out of reach. */
	private Map<String, QueueEntry> read(List<String> names, long end, Duration good) {
		Map<String, QueueEntry> queues = new TreeMap<>();
		QueueConsumers consumers = this.listeners.consumers();
		Map<String, String> seen = this.figures.glance(names);
		int unreachable = 0;
		for (String queue : names) {
			if (unreachable == MAX_UNREACHABLE || end - this.nanoTime.getAsLong() <= 0) {
				break;
			}
			try {
				queues.put(queue, read(queue, consumers, seen.get(queue), good));
			}
			catch (StoreUnavailableException ex) {
				unreachable++;
				if (unreachable == names.size()) {
					throw ex;
				}
				queues.put(queue, unreadable(queue, consumers, ex));
			}
		}
		return queues;
	}

	/** Closely if the figures are to be read now. */
	private QueueEntry read(String queue, QueueConsumers consumers, @Nullable String seen, Duration good) {
		boolean closely = good.isZero();
		try {
			QueueStats stats = this.figures.read(queue, seen, good);
			int workers = consumers.workersOf(queue);
			List<Trouble> trouble = new ArrayList<>(
					this.rules.judge(stats, consumers.of(queue), consumers.lastOf(queue), consumers.runningIn(queue),
							() -> QueueView.of(this.store).history(queue)));
			if (closely && workers > 0 && TroubleRules.withinAnHour(stats) > workers) {
				addWave(queue, TroubleRules.withinAnHour(stats), workers, trouble);
			}
			long now = this.nanoTime.getAsLong();
			long completed = stats.totals().completed();
			Seen last = this.seen.merge(queue, new Seen(completed, now - HOUR_NANOS, completed, now, 0),
					(before, first) -> before.then(now, completed));
			QueueDescriptor entry = QueueDescriptor.of(stats, this.journaled.test(queue), consumers.of(queue), workers,
					now - last.changedAt < HOUR_NANOS, trouble, consumers.own(queue),
					closely ? consumers.instances(this.listeners.registry().getInstance(), queue) : null);
			this.ranks.put(queue, QueueRank.of(queue, entry, last.rate));
			return entry;
		}
		catch (StoreUnavailableException ex) {
			throw ex;
		}
		catch (DelayQueueException ex) {
			return unreadable(queue, consumers, ex);
		}
	}

	private UnreadableQueueDescriptor unreadable(String queue, QueueConsumers consumers, DelayQueueException ex) {
		UnreadableQueueDescriptor entry = UnreadableQueueDescriptor.of(Looks.said(ex), consumers.own(queue));
		this.ranks.put(queue, QueueRank.of(queue, entry, 0));
		return entry;
	}

	private void addWave(String queue, long tasks, int workers, List<Trouble> trouble) {
		try {
			Duration handling = TroubleRules.handling(QueueView.of(this.store).history(queue));
			if (TroubleRules.isWave(tasks, workers, handling)) {
				ForecastDescriptor.Bar highest = this.forecasts.forecast(queue, new RequestArguments(queue, Map.of()))
					.highest();
				if (highest != null && TroubleRules.isWave(highest.tasks(), workers, handling)) {
					trouble.add(TroubleRules.wave(highest.tasks(), highest.start(), workers, handling));
				}
			}
		}
		catch (DelayQueueException ex) {
			// it would only be a note, and the figures are known
			logger.debug("It cannot be told when tasks of queue '{}' fall due", queue, ex);
		}
	}

	/**
	 * What is known from looks before.
	 *
	 * @param completed as of the last look
	 * @param changedAt when a look last found that another number of tasks was handled
	 * @param since what was completed when the rate was last measured, and when that was
	 * @param rate how many tasks were handled a second
	 */
	private record Seen(long completed, long changedAt, long since, long sinceAt, double rate) {

		Seen then(long now, long present) {
			long changed = (present == this.completed) ? this.changedAt : now;
			long nanos = now - this.sinceAt;
			return (nanos < RATE_NANOS) ? new Seen(present, changed, this.since, this.sinceAt, this.rate)
					: new Seen(present, changed, present, now, Math.max(0, present - this.since) * 1e9 / nanos);
		}

	}

}
