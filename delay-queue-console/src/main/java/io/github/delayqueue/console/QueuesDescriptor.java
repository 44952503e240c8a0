package io.github.delayqueue.console;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

import io.github.delayqueue.QueueStats.Delays;
import io.github.delayqueue.QueueStats;

/**
 * A page of queues as the endpoint shows it. Public because the endpoint returns it.
 *
 * @param queues the queues by name, but those that have not changed {@code since}; queues
 * whose figures cannot be read say why
 * @param sums of all that were asked for, as of when each was last read; {@code null}
 * (over the web: missing) until all have been
 * @param deaths how many tasks have died in each of the last 24 hours, the present one
 * last, of queues on the page in which any have
 * @param asOf for {@code since} with the next look at the same queues
 * @param order their names, by the column that was asked for, or the most urgent first:
 * by group, then danger and warning by what their trouble costs, working ones by how much
 * they have handled, then by name
 * @param groups how many queues of those that were asked for are in each group; where not
 * all are on the page, a few seconds old
 * @param total how many queues there are of those that were asked for
 */
public record QueuesDescriptor(Map<String, QueueEntry> queues, @Nullable Sums sums, Map<String, List<Long>> deaths,
		String asOf, List<String> order, Map<QueueEntry.Group, Integer> groups,
		int total) implements OperationResponseBody {

	/**
	 * Figures of queues, added up.
	 *
	 * @param oldestDueAge that of the oldest of them all
	 * @param completed tasks handled since the queues exist
	 */
	public record Sums(long waiting, long due, Duration oldestDueAge, long dead, long diedLastHour, long completed,
			List<Delays> delays) {

		static Sums of(List<QueueStats> all) {
			long[] delays = IntStream.rangeClosed(0, QueueStats.DELAY_BOUNDS.size())
				.mapToLong((i) -> sum(all, (stats) -> stats.delays().get(i).tasks()))
				.toArray();
			return new Sums(sum(all, QueueStats::waiting), sum(all, QueueStats::due),
					all.stream().map(QueueStats::oldestDueAge).max(Comparator.naturalOrder()).orElse(Duration.ZERO),
					sum(all, QueueStats::dead), sum(all, QueueStats::diedLastHour),
					sum(all, (stats) -> stats.totals().completed()), Delays.of(delays));
		}

		private static long sum(List<QueueStats> all, ToLongFunction<QueueStats> figure) {
			return all.stream().mapToLong(figure).sum();
		}

	}

}
