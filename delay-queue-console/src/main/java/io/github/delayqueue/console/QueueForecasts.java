package io.github.delayqueue.console;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Set;

import io.github.delayqueue.console.TimesDescriptor.Spread;
import io.github.delayqueue.histogram.RedisHistograms;
import io.github.delayqueue.roles.Forecast;
import io.github.delayqueue.roles.History;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.TaskStore;

/**
 * Says what falls due when, and what has happened. Bars of forecasts begin at whole
 * minutes, quarters of an hour and days of the clock's time zone.
 */
record QueueForecasts(TaskStore store, Clock clock) {

	ForecastDescriptor forecast(String queue, RequestArguments arguments) {
		arguments.allowOnly("'forecast'", Set.of("range"));
		String range = Objects.requireNonNullElse(arguments.text("range"), "hour");
		Forecast.Bars bars = switch (range) {
			case "hour" -> bars(Duration.ofMinutes(1), 60);
			case "day" -> bars(Duration.ofMinutes(15), 96);
			case "month" -> bars(Duration.ofDays(1), 30);
			default -> throw arguments.invalid("The range must be one of: hour, day, month");
		};
		return ForecastDescriptor.of(range, bars, QueueView.of(this.store).forecast(queue, bars));
	}

	private Forecast.Bars bars(Duration step, int count) {
		Instant midnight = ZonedDateTime.now(this.clock).truncatedTo(ChronoUnit.DAYS).toInstant();
		long over = Duration.between(midnight, this.clock.instant()).dividedBy(step);
		return new Forecast.Bars(midnight.plus(step.multipliedBy(over)), step, count);
	}

	TimesDescriptor times(String queue, RequestArguments arguments) {
		arguments.allowOnly("'times'", Set.of());
		RedisHistograms histograms = this.store.role(RedisHistograms.class);
		if (histograms == null) {
			throw QueueRequestException.notFound(queue, "The store does not keep the times of handlers");
		}
		return new TimesDescriptor(Spread.of(histograms.read(queue, Duration.ofHours(1))),
				Spread.of(histograms.read(queue, Duration.ofDays(1))));
	}

	HistoryDescriptor history(String queue, RequestArguments arguments) {
		arguments.allowOnly("'history'", Set.of("hours"));
		int hours = arguments.number("hours", History.KEPT, 1, History.KEPT);
		return HistoryDescriptor.of(QueueView.of(this.store).history(queue),
				this.clock.instant().truncatedTo(ChronoUnit.HOURS).minus(hours, ChronoUnit.HOURS));
	}

}
