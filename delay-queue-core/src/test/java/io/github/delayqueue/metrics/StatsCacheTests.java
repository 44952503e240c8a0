package io.github.delayqueue.metrics;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;

/**
 * Tests for {@link StatsCache}.
 */
class StatsCacheTests {

	private final MutableClock clock = new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));

	private final QueueView view = mock();

	private final TaskStore store = mock();

	private final StatsCache cache = new StatsCache(this.store, this.clock);

	@BeforeEach
	void show() {
		given(QueueView.of(this.store)).willReturn(this.view);
	}

	@Test
	void readsOnceWhileFiguresAreRecent() {
		given(this.view.stats("a")).willReturn(stats(1), stats(2));
		assertThat(this.cache.get("a")).isEqualTo(stats(1));
		this.clock.advance(StatsCache.MAX_AGE.minusMillis(1));
		assertThat(this.cache.get("a")).isEqualTo(stats(1));
		this.clock.advance(Duration.ofMillis(1));
		assertThat(this.cache.get("a")).isEqualTo(stats(2));
	}

	@Test
	void readsAgainWhenTheClockWasSetBack() {
		given(this.view.stats("a")).willReturn(stats(1), stats(2));
		this.cache.get("a");
		this.clock.advance(Duration.ofHours(-1));
		assertThat(this.cache.get("a")).isEqualTo(stats(2));
	}

	@Test
	void answersNothingRatherThanOldFiguresWhenTheStoreFails() {
		given(this.view.stats("a")).willReturn(stats(1)).willThrow(gone());
		this.cache.get("a");
		this.clock.advance(StatsCache.MAX_AGE);
		assertThat(this.cache.get("a")).isNull();
	}

	@Test
	void asksForNoQueueWhileTheStoreHasJustFailed() {
		given(this.view.stats("a")).willThrow(gone());
		this.cache.get("a");
		assertThat(this.cache.get("a")).isNull();
		assertThat(this.cache.get("b")).isNull();
		then(this.view).should(times(1)).stats("a");
		then(this.view).should(never()).stats("b");
	}

	@Test
	void asksForOtherQueuesWhileTheFiguresOfOneAreRefused() {
		given(this.view.stats("a")).willThrow(new DelayQueueException("a", null, "one of its keys has the wrong type"));
		given(this.view.stats("b")).willReturn(stats(2));
		assertThat(this.cache.get("a")).isNull();
		assertThat(this.cache.get("b")).isEqualTo(stats(2));
		assertThat(this.cache.get("a")).isNull();
		then(this.view).should(times(1)).stats("a");
	}

	@Test
	void storeThatAGaugeDoesNotReachIsLeftAloneHoweverLongThatTook() {
		given(this.view.stats("a")).willReturn(stats(1));
		assertThat(this.cache.value("a", (queue, stats) -> {
			this.clock.advance(StatsCache.MAX_AGE);
			throw gone();
		})).isNaN();
		assertThat(this.cache.value("b", (queue, stats) -> 1)).isNaN();
		then(this.view).should(never()).stats("b");
	}

	private static StoreUnavailableException gone() {
		return new StoreUnavailableException("a", null, "Redis is gone", null);
	}

	private static QueueStats stats(long scheduled) {
		return new QueueStats(scheduled, 0, 0, 0, 0, 0, 0, Duration.ZERO, null, false,
				new QueueStats.Totals(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
	}

}
