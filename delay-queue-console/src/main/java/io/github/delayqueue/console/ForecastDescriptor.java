package io.github.delayqueue.console;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

import io.github.delayqueue.roles.Forecast;

/**
 * How many tasks fall due when, as the endpoint shows it. Public because the endpoint
 * returns it.
 *
 * @param range {@code hour}, {@code day} or {@code month}
 * @param overdue tasks that are due already
 * @param complete whether all tasks have been counted. If not, more than 100,000 of them
 * are in the journal's table only, and the bars are lower bounds
 * @param highest the first one of the highest bars, {@code null} (over the web: missing)
 * if nothing falls due
 * @param bars the bars, one after the other; the first one has begun already
 */
public record ForecastDescriptor(String range, long overdue, boolean complete, @Nullable Bar highest, Duration step,
		List<Bar> bars) implements OperationResponseBody {

	static ForecastDescriptor of(String range, Forecast.Bars spans, Forecast forecast) {
		List<Bar> bars = IntStream.range(0, spans.count())
			.mapToObj((i) -> new Bar(spans.start(i), forecast.bars().get(i)))
			.toList();
		Bar highest = bars.stream()
			.filter((bar) -> bar.tasks() > 0)
			.reduce((high, next) -> (next.tasks() > high.tasks()) ? next : high)
			.orElse(null);
		return new ForecastDescriptor(range, forecast.overdue(), forecast.complete(), highest, spans.step(), bars);
	}

	/**
	 * A span of time.
	 *
	 * @param tasks how many tasks that are not yet due become due in it
	 */
	public record Bar(Instant start, long tasks) {

	}

}
