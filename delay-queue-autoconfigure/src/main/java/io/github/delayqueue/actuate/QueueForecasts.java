package io.github.delayqueue.actuate;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Set;

import io.github.delayqueue.store.Forecast;
import io.github.delayqueue.store.History;
import io.github.delayqueue.store.TaskStore;

/**
 * Says what falls due when, and what has happened. Bars of forecasts begin at whole
 * minutes, quarters of an hour and days of the clock's time zone.
 */
record QueueForecasts(TaskStore store, Clock clock) {

	ForecastDescriptor forecast(String queue, RequestArguments arguments) {
		arguments.allowOnly("'forecast'", Set.of("range"));
		return forecast(queue, range(arguments));
	}

	HistoryDescriptor history(String queue, RequestArguments arguments) {
		arguments.allowOnly("'history'", Set.of("hours"));
		int hours = arguments.number("hours", History.KEPT, 1, History.KEPT);
		return HistoryDescriptor.of(this.store.history(queue),
				this.clock.instant().truncatedTo(ChronoUnit.HOURS).minus(hours, ChronoUnit.HOURS));
	}

	ForecastDescriptor nextHour(String queue) {
		return forecast(queue, Range.HOUR);
	}

	private ForecastDescriptor forecast(String queue, Range range) {
		Forecast.Bars bars = new Forecast.Bars(start(range.step), range.step, range.count);
		return ForecastDescriptor.of(range.toString(), bars, this.store.forecast(queue, bars));
	}

	private Instant start(Duration step) {
		Instant midnight = ZonedDateTime.now(this.clock).truncatedTo(ChronoUnit.DAYS).toInstant();
		long over = Duration.between(midnight, this.clock.instant()).dividedBy(step);
		return midnight.plus(step.multipliedBy(over));
	}

	private static Range range(RequestArguments arguments) {
		String name = arguments.has("range") ? arguments.text("range") : "hour";
		for (Range range : Range.values()) {
			if (range.toString().equals(name)) {
				return range;
			}
		}
		throw arguments.invalid("The range has to be one of: hour, day, month");
	}

	private enum Range {

		HOUR(Duration.ofMinutes(1), 60), DAY(Duration.ofMinutes(15), 96), MONTH(Duration.ofDays(1), 30);

		final Duration step;

		final int count;

		Range(Duration step, int count) {
			this.step = step;
			this.count = count;
		}

		@Override
		public String toString() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
