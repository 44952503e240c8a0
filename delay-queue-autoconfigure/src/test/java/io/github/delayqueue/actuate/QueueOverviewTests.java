package io.github.delayqueue.actuate;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.actuate.QueueEntry.Group;
import io.github.delayqueue.run.TroubleRules;
import io.github.delayqueue.store.TaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;

/**
 * Tests for {@link QueueOverview} and how often it asks the store.
 */
class QueueOverviewTests {

	private final TaskStore store = mock();

	private final QueueOverview overview = new QueueOverview(this.store,
			new ListenerSwitch(new StubContainers().registry()), (queue) -> false, TroubleRules.DEFAULTS,
			new QueueForecasts(this.store, Clock.systemUTC()), () -> this.nanos);

	private final List<String> names = IntStream.range(0, 100).mapToObj("queue-%02d"::formatted).toList();

	private long nanos;

	@Test
	void orderIsOfAFewSecondsAgoAndFiguresAreNew() {
		given(this.store.stats(anyString())).willReturn(paused(0));
		willReturn(paused(7)).given(this.store).stats("queue-77");
		assertThat(page().order()).containsExactly("queue-77", "queue-00", "queue-01");
		then(this.store).should(times(103)).stats(anyString());
		willReturn(paused(0)).given(this.store).stats("queue-77");
		willReturn(paused(7)).given(this.store).stats("queue-88");
		this.nanos += Duration.ofSeconds(5).toNanos() - 1;
		assertThat(page().order()).containsExactly("queue-00", "queue-01", "queue-77");
		assertThat(page().groups()).containsEntry(Group.WARNING, 1);
		then(this.store).should(times(109)).stats(anyString());
		this.nanos++;
		assertThat(page().order()).containsExactly("queue-88", "queue-00", "queue-01");
		then(this.store).should(times(212)).stats(anyString());
	}

	@Test
	void orderIsNewAfterAnAction() {
		given(this.store.stats(anyString())).willReturn(paused(0));
		page();
		willReturn(paused(7)).given(this.store).stats("queue-88");
		this.overview.changed();
		assertThat(page().order()).startsWith("queue-88");
	}

	@Test
	void slowStoreIsAskedForAllQueuesATenthOfTheTime() {
		willAnswer((invocation) -> {
			this.nanos += Duration.ofMillis(100).toNanos();
			return paused(0);
		}).given(this.store).stats(anyString());
		page();
		this.nanos += Duration.ofSeconds(89).toNanos();
		page();
		then(this.store).should(times(106)).stats(anyString());
		this.nanos += Duration.ofSeconds(1).toNanos();
		page();
		then(this.store).should(times(209)).stats(anyString());
	}

	@Test
	void queueThatWasHandledIsQuietAfterAnHour() {
		given(this.store.stats("a")).willReturn(handled(1), handled(2));
		assertThat(this.overview.describe("a").group()).isEqualTo(Group.QUIET);
		assertThat(this.overview.describe("a").group()).isEqualTo(Group.WORKING);
		this.nanos += Duration.ofHours(1).toNanos() - 1;
		assertThat(this.overview.describe("a").group()).isEqualTo(Group.WORKING);
		this.nanos++;
		assertThat(this.overview.describe("a").group()).isEqualTo(Group.QUIET);
	}

	private QueuesDescriptor page() {
		return this.overview.page(this.names, this.names, 0, 3);
	}

	private static QueueStats paused(long due) {
		return new QueueStats(due, due, 0, 0, 0, 0, 0, Duration.ZERO, null, true,
				new QueueStats.Totals(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
	}

	private static QueueStats handled(long tasks) {
		return new QueueStats(0, 0, 0, 0, 0, 0, 0, Duration.ZERO, null, false,
				new QueueStats.Totals(0, tasks, 0, 0, 0, 0, 0, 0, 0, 0, 0));
	}

}
