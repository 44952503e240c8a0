package io.github.delayqueue.console;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

import io.github.delayqueue.roles.History;

/**
 * The past of a queue by the hour, as the endpoint shows it. Public because the endpoint
 * returns it.
 *
 * @param from when the first hour began that was asked for
 * @param usualDeaths how many tasks usually die within an hour: the median of 7 days
 * @param hours the hours in which somebody has claimed, in their order; the last one may
 * not be over. All that happens in another hour counts to the one before it
 */
public record HistoryDescriptor(Instant from, long usualDeaths, List<Hour> hours) implements OperationResponseBody {

	static HistoryDescriptor of(History history, Instant from) {
		return new HistoryDescriptor(from, usualDeaths(history),
				history.hours().stream().filter((hour) -> !hour.start().isBefore(from)).map(Hour::of).toList());
	}

	/**
	 * How many tasks usually die within an hour.
	 * @return the median of the {@link History#KEPT} hours before the present one; those
	 * that are missing count as zero
	 */
	static long usualDeaths(History history) {
		long[] deaths = history.hours()
			.stream()
			.limit(Math.max(0, history.hours().size() - 1))
			.mapToLong(History.Hour::deadLettered)
			.sorted()
			.toArray();
		int place = deaths.length - History.KEPT / 2 - 1;
		return (place >= 0) ? deaths[place] : 0;
	}

	/**
	 * A {@link History.Hour}.
	 *
	 * @param meanHandling how long handlers took for each of them all on average,
	 * {@code null} (over the web: missing) if there was none
	 */
	public record Hour(Instant start, long completed, long retried, long deadLettered, long late,
			@Nullable Duration meanHandling) {

		static Hour of(History.Hour hour) {
			long ended = hour.ended();
			return new Hour(hour.start(), hour.completed(), hour.retried(), hour.deadLettered(), hour.late(),
					(ended > 0) ? hour.handling().dividedBy(ended) : null);
		}

	}

}
