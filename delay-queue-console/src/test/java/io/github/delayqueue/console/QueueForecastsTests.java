package io.github.delayqueue.console;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.console.ForecastDescriptor.Bar;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link QueueForecasts}.
 */
class QueueForecastsTests {

	private static final String QUEUE = "orders";

	private static final Instant NOW = Instant.parse("2026-03-01T17:40:28.480Z");

	private final Clock clock = Clock.fixed(NOW, ZoneId.of("Asia/Shanghai"));

	private final InMemoryTaskStore store = new InMemoryTaskStore(this.clock);

	private final QueueForecasts forecasts = new QueueForecasts(this.store, this.clock);

	@ParameterizedTest
	@CsvSource({ "hour, 60, PT1M, 2026-03-01T17:40:00Z, 2026-03-01T18:39:00Z",
			"day, 96, PT15M, 2026-03-01T17:30:00Z, 2026-03-02T17:15:00Z",
			"month, 30, PT24H, 2026-03-01T16:00:00Z, 2026-03-30T16:00:00Z" })
	void barsBeginAtWholeTimesOfTheZone(String range, int count, Duration step, Instant first, Instant last) {
		ForecastDescriptor forecast = forecast(range);
		assertThat(forecast.range()).isEqualTo(range);
		assertThat(forecast.step()).isEqualTo(step);
		assertThat(forecast.bars()).hasSize(count).startsWith(new Bar(first, 0)).endsWith(new Bar(last, 0));
		assertThat(forecast.highest()).isNull();
	}

	@Test
	void firstOfTheHighestBarsIsTheHighest() {
		for (int minutes : List.of(0, 0, 0, 1, 5, 5, 9, 9, 100)) {
			schedule(Duration.ofMinutes(minutes));
		}
		ForecastDescriptor forecast = forecast("hour");
		assertThat(forecast.overdue()).isEqualTo(3);
		assertThat(forecast.highest()).isEqualTo(new Bar(Instant.parse("2026-03-01T17:45:00Z"), 2));
		assertThat(forecast.bars()).filteredOn((bar) -> bar.tasks() > 0)
			.containsExactly(new Bar(Instant.parse("2026-03-01T17:41:00Z"), 1),
					new Bar(Instant.parse("2026-03-01T17:45:00Z"), 2),
					new Bar(Instant.parse("2026-03-01T17:49:00Z"), 2));
		assertThat(forecast.complete()).isTrue();
		assertThat(forecast("day").highest()).isEqualTo(new Bar(Instant.parse("2026-03-01T17:45:00Z"), 4));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "year", "HOUR", "hour " })
	void unknownRangeIsABadRequest(String range) {
		assertThatExceptionOfType(QueueRequestException.class).isThrownBy(() -> forecast(range))
			.withMessage("The range must be one of: hour, day, month")
			.extracting(QueueRequestException::getStatus)
			.isEqualTo(400);
	}

	private void schedule(Duration delay) {
		this.store.schedule(QUEUE, List.of(new NewTask("task-" + this.store.stats(QUEUE).waiting(), bytes("x"),
				DueTime.in(delay), TaskPriority.NORMAL, Replacement.REPLACE)));
	}

	private ForecastDescriptor forecast(@Nullable String range) {
		Map<String, @Nullable String> arguments = new HashMap<>();
		arguments.put("range", range);
		return this.forecasts.forecast(QUEUE, new RequestArguments(QUEUE, arguments));
	}

}
