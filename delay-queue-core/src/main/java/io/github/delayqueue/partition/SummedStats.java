package io.github.delayqueue.partition;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

import io.github.delayqueue.QueueStats.Delays;
import io.github.delayqueue.QueueStats.Totals;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.roles.History;

/** Figures of a queue as the sums of those of its partitions. */
final class SummedStats {

	private SummedStats() {
	}

	static QueueStats sum(List<QueueStats> all) {
		return new QueueStats(sum(all, QueueStats::waiting), sum(all, QueueStats::due), sum(all, QueueStats::inFlight),
				sum(all, QueueStats::leasesLost), sum(all, QueueStats::retrying), sum(all, QueueStats::dead),
				sum(all, QueueStats::completed), sum(all, QueueStats::inDatabaseOnly),
				longest(all, QueueStats::oldestDueAge),
				all.stream()
					.map(QueueStats::nextDueAt)
					.filter(Objects::nonNull)
					.min(Comparator.<Instant>naturalOrder())
					.orElse(null),
				all.stream().allMatch(QueueStats::paused), totals(all.stream().map(QueueStats::totals).toList()),
				all.size(), delays(all), sum(all, QueueStats::diedLastHour), longest(all, QueueStats::leasesLostFor));
	}

	static History history(List<History> all) {
		TreeMap<Instant, History.Hour> hours = new TreeMap<>();
		all.forEach(
				(history) -> history.hours().forEach((hour) -> hours.merge(hour.start(), hour, History.Hour::plus)));
		return new History(List.copyOf(hours.values()));
	}

	private static Duration longest(List<QueueStats> all, Function<QueueStats, Duration> figure) {
		return all.stream().map(figure).max(Comparator.naturalOrder()).orElse(Duration.ZERO);
	}

	private static List<Delays> delays(List<QueueStats> all) {
		long[] tasks = IntStream.rangeClosed(0, QueueStats.DELAY_BOUNDS.size())
			.mapToLong((i) -> sum(all, (stats) -> stats.delays().get(i).tasks()))
			.toArray();
		return Delays.of(tasks);
	}

	private static Totals totals(List<Totals> all) {
		return new Totals(sum(all, Totals::scheduled), sum(all, Totals::completed), sum(all, Totals::retried),
				sum(all, Totals::deadLettered), sum(all, Totals::cancelled), sum(all, Totals::replaced),
				sum(all, Totals::cleared), sum(all, Totals::deleted), sum(all, Totals::redriven),
				sum(all, Totals::leasesLost), sum(all, Totals::stale));
	}

	private static <T> long sum(List<T> all, ToLongFunction<T> figure) {
		return all.stream().mapToLong(figure).sum();
	}

}
