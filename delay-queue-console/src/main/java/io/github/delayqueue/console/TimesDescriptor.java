package io.github.delayqueue.console;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

import io.github.delayqueue.histogram.Histograms;

/**
 * The times of handlers of a queue, as the endpoint shows them. Public because the
 * endpoint returns it.
 *
 * @param hour of the last hour, and up to a quarter of an hour more
 * @param day of the last 24 hours, and up to a quarter of an hour more
 */
public record TimesDescriptor(Spread hour, Spread day) implements OperationResponseBody {

	/**
	 * Of some time.
	 *
	 * @param lateness how long tasks had been due when their handlers began
	 * @param handling how long handlers took
	 */
	public record Spread(List<Bucket> lateness, List<Bucket> handling) {

		static Spread of(Histograms histograms) {
			return new Spread(buckets(histograms.lateness()), buckets(histograms.handling()));
		}

		private static List<Bucket> buckets(List<Long> counts) {
			return IntStream.range(0, counts.size())
				.mapToObj((i) -> new Bucket((i < Histograms.BOUNDS.size()) ? Histograms.BOUNDS.get(i) : null,
						counts.get(i)))
				.toList();
		}

	}

	/**
	 * Some of them.
	 *
	 * @param below of less than this time, and not of less than that of the bucket
	 * before; {@code null} (over the web: missing) for all others
	 * @param calls how many
	 */
	public record Bucket(@Nullable Duration below, long calls) {

	}

}
