package io.github.delayqueue.console;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.roles.History;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.TaskStore;

/**
 * How many tasks have died in each of the last hours, of queues that are shown. Asks for
 * the history of those in which any ever has, once a minute. Thread-safe.
 */
record RecentDeaths(TaskStore store, Clock clock, LongSupplier nanoTime, Map<String, Read> known) {

	/** The last one is the present hour. */
	static final int HOURS = 24;

	private static final Logger logger = LoggerFactory.getLogger(RecentDeaths.class);

	private static final long FRESH_NANOS = Duration.ofMinutes(1).toNanos();

	RecentDeaths(TaskStore store, Clock clock, LongSupplier nanoTime) {
		this(store, clock, nanoTime, new ConcurrentHashMap<>());
	}

	/**
	 * Of those in which some have died within these hours.
	 * @param all the names of all queues there are
	 */
	Map<String, List<Long>> of(Map<String, QueueEntry> queues, Collection<String> all) {
		this.known.keySet().retainAll(all);
		Map<String, List<Long>> deaths = new TreeMap<>();
		queues.forEach((name, queue) -> {
			if (queue instanceof QueueDescriptor figures && figures.stats().totals().deadLettered() > 0) {
				deaths.put(name, of(name));
			}
		});
		deaths.values().removeIf((hours) -> hours.stream().allMatch((hour) -> hour == 0));
		return deaths;
	}

	private List<Long> of(String queue) {
		long now = this.nanoTime.getAsLong();
		Read last = this.known.get(queue);
		if (last == null || now - last.at >= FRESH_NANOS) {
			last = new Read(now, read(queue));
			this.known.put(queue, last);
		}
		return last.deaths;
	}

	private List<Long> read(String queue) {
		Instant from = this.clock.instant().truncatedTo(ChronoUnit.HOURS).minus(HOURS - 1, ChronoUnit.HOURS);
		long[] deaths = new long[HOURS];
		try {
			for (History.Hour hour : QueueView.of(this.store).history(queue).hours()) {
				long at = ChronoUnit.HOURS.between(from, hour.start());
				if (at >= 0) {
					// the clock of the store may be ahead of ours
					deaths[(int) Math.min(at, HOURS - 1)] += hour.deadLettered();
				}
			}
		}
		catch (DelayQueueException ex) {
			// it would only be a line, and the figures are known
			logger.debug("It cannot be told when tasks of queue '{}' have died", queue, ex);
		}
		return Arrays.stream(deaths).boxed().toList();
	}

	record Read(long at, List<Long> deaths) {

	}

}
