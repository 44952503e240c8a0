package io.github.delayqueue.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.store.Forecast.Bars;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What falls due when.
 */
interface ForecastContract extends TaskStoreFixture {

	@Test
	default void nothingFallsDueInAnUnknownQueue() {
		assertThat(forecast(START, 3)).isEqualTo(new Forecast(0, List.of(0L, 0L, 0L), true));
	}

	@Test
	default void taskIsCountedInTheBarThatItFallsDueIn() {
		schedule(task("due", Duration.ZERO), task("1 ms", Duration.ofMillis(1)),
				task("59,999 ms", TaskPriority.HIGH, Duration.ofMillis(59_999)),
				task("1 min", TaskPriority.LOW, Duration.ofMinutes(1)),
				task("119 s", TaskPriority.HIGH, Duration.ofSeconds(119)),
				task("3 min", TaskPriority.LOW, Duration.ofMinutes(3)), task("239,999 ms", Duration.ofMillis(239_999)),
				task("4 min", Duration.ofMinutes(4)), task("years", Duration.ofDays(10_000)));
		assertThat(forecast(START, 4)).isEqualTo(new Forecast(1, List.of(2L, 2L, 0L, 2L), true));
		assertThat(forecast(START.plus(Duration.ofMinutes(2)), 2).bars()).as("first bar begins now")
			.containsExactly(4L, 2L);
	}

	@Test
	default void whatIsDueByTheClockOfTheStoreIsOverdue() {
		schedule(task("a", SECOND), task("b", TaskPriority.LOW, Duration.ofSeconds(90)),
				task("c", TaskPriority.HIGH, Duration.ofSeconds(91)), task("d", Duration.ofMinutes(2)));
		advance(Duration.ofSeconds(90).minusMillis(1));
		assertThat(forecast(START, 3)).isEqualTo(new Forecast(1, List.of(0L, 2L, 1L), true));
		advance(Duration.ofMillis(1));
		assertThat(forecast(START, 3)).isEqualTo(new Forecast(2, List.of(0L, 1L, 1L), true));
		assertThat(forecast(START.minus(Duration.ofDays(1)), 3)).as("all bars are over")
			.isEqualTo(new Forecast(2, List.of(0L, 0L, 0L), true));
	}

	@Test
	default void onlyScheduledTasksAreCounted() {
		bury("dead");
		completeAndKeep("completed");
		scheduleDue("in-flight", "retried");
		claim("t1");
		settle(Settlement.retry("retried", "t1", Duration.ofMinutes(1), bytes("failed")));
		assertThat(forecast(now(), 2)).isEqualTo(new Forecast(0, List.of(0L, 1L), true));
	}

	@Test
	default void recurringTaskIsCountedAtItsNextTimeOnly() {
		scheduleDue("a");
		claim("t1");
		assertThat(forecast(START, 3)).isEqualTo(new Forecast(0, List.of(0L, 0L, 0L), true));
		settle(Settlement.repeat("a", "t1", START.plus(Duration.ofMinutes(1))));
		assertThat(forecast(START, 3)).isEqualTo(new Forecast(0, List.of(0L, 1L, 0L), true));
	}

	@Test
	default void barsAreUpTo120OfAnyLength() {
		scheduleDue("due");
		NewTask[] tasks = LongStream.range(1, 240)
			.mapToObj((i) -> task("task-" + i, TaskPriority.values()[(int) (i % 3)], Duration.ofMillis(i)))
			.toArray(NewTask[]::new);
		schedule(tasks);
		Forecast forecast = store().forecast(queue(), new Bars(START, Duration.ofMillis(2), 120));
		assertThat(forecast.overdue()).isOne();
		assertThat(forecast.bars()).hasSize(120).startsWith(1L).last().isEqualTo(2L);
		assertThat(forecast.bars().subList(1, 120)).containsOnly(2L);
		Bars years = new Bars(START, Duration.ofDays(100_000), 120);
		assertThat(store().forecast(queue(), years).bars()).startsWith(239L)
			.endsWith(Collections.nCopies(119, 0L).toArray(Long[]::new));
		assertThatIllegalArgumentException().isThrownBy(() -> new Bars(START, SECOND, 0));
		assertThatIllegalArgumentException().isThrownBy(() -> new Bars(START, SECOND, 121));
		assertThatIllegalArgumentException().isThrownBy(() -> new Bars(START, Duration.ofNanos(999_999), 1));
	}

	private Forecast forecast(Instant start, int minutes) {
		return store().forecast(queue(), new Bars(start, Duration.ofMinutes(1), minutes));
	}

}
