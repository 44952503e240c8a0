package io.github.delayqueue.console;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.QueueStats.Delays;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.console.QueueEntry.Group;
import io.github.delayqueue.fixtures.MockStores;
import io.github.delayqueue.fixtures.StubContainers;
import io.github.delayqueue.fleet.ConsumersCache;
import io.github.delayqueue.roles.Forecast;
import io.github.delayqueue.roles.History;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.TaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;

/**
 * Tests for {@link QueueOverview} and how often it asks the store.
 */
class QueueOverviewTests {

	private static final Instant NOW = Instant.parse("2026-01-31T09:30:00Z");

	private final TaskStore store = MockStores.create();

	private final StubContainers containers = new StubContainers();

	private final QueueOverview overview = new QueueOverview(this.store,
			new ListenerSwitch(this.containers.registry(), new ConsumersCache(this.store, System::nanoTime)),
			(queue) -> false, TroubleRules.DEFAULTS, new QueueForecasts(this.store, Clock.fixed(NOW, ZoneOffset.UTC)),
			() -> this.nanos);

	private final List<String> names = IntStream.range(0, 100)
		.mapToObj((i) -> String.format(Locale.ROOT, "queue-%02d", i))
		.toList();

	private long nanos;

	@Test
	void orderIsOfAFewSecondsAgoAndFiguresAreNew() {
		given(QueueView.of(this.store).stats(anyString())).willReturn(paused(0));
		willReturn(paused(7)).given((QueueView) this.store).stats("queue-77");
		assertThat(page().order()).containsExactly("queue-77", "queue-00", "queue-01");
		then(QueueView.of(this.store)).should(times(103)).stats(anyString());
		willReturn(paused(0)).given((QueueView) this.store).stats("queue-77");
		willReturn(paused(7)).given((QueueView) this.store).stats("queue-88");
		this.nanos += Duration.ofSeconds(5).toNanos() - 1;
		assertThat(page().order()).containsExactly("queue-00", "queue-01", "queue-77");
		assertThat(page().groups()).as("what is shown is counted as it is now").containsEntry(Group.WARNING, 0);
		then(QueueView.of(this.store)).should(times(109)).stats(anyString());
		this.nanos++;
		assertThat(page().order()).containsExactly("queue-88", "queue-00", "queue-01");
		then(QueueView.of(this.store)).should(times(212)).stats(anyString());
	}

	@Test
	void aThousandQueuesAreReadNoFasterThanTwentyASecond() {
		List<String> thousand = IntStream.range(0, 1000).mapToObj((i) -> "queue-" + i).toList();
		given(QueueView.of(this.store).stats(anyString())).willReturn(paused(0));
		this.overview.page(thousand, thousand, QueueRank.URGENCY, 0, 3, null);
		this.nanos += Duration.ofSeconds(50).toNanos() - 1;
		this.overview.page(thousand, thousand, QueueRank.URGENCY, 0, 3, null);
		then(QueueView.of(this.store)).should(times(1)).stats("queue-500");
		this.nanos++;
		this.overview.page(thousand, thousand, QueueRank.URGENCY, 0, 3, null);
		then(QueueView.of(this.store)).should(times(2)).stats("queue-500");
	}

	@Test
	void troubleComesInTheOrderOfWhatItCosts() {
		given(QueueView.of(this.store).stats(anyString())).willReturn(paused(0));
		willReturn(late(2, Duration.ofHours(1))).given((QueueView) this.store).stats("queue-11");
		willReturn(late(5000, Duration.ofMinutes(1))).given((QueueView) this.store).stats("queue-77");
		assertThat(page().order()).containsExactly("queue-77", "queue-11", "queue-00");
	}

	@Test
	void columnIsSortedOverAllQueues() {
		given(QueueView.of(this.store).stats(anyString())).willReturn(paused(5));
		willReturn(paused(7)).given((QueueView) this.store).stats("queue-77");
		willReturn(paused(6)).given((QueueView) this.store).stats("queue-66");
		willReturn(late(0, Duration.ofMinutes(1))).given((QueueView) this.store).stats("queue-88");
		willThrow(new StoreUnavailableException("queue-99", null, "Redis is gone", null)).given((QueueView) this.store)
			.stats("queue-99");
		assertThat(sorted("-due")).containsExactly("queue-77", "queue-66", "queue-00");
		assertThat(sorted("waiting")).containsExactly("queue-88", "queue-00", "queue-01");
		assertThat(sorted("-late")).containsExactly("queue-88", "queue-00", "queue-01");
		assertThat(sorted("-queue")).as("queues without figures come last")
			.containsExactly("queue-98", "queue-97", "queue-96");
		assertThat(page(this.names, "-due", 98).order()).endsWith("queue-99");
		assertThatExceptionOfType(QueueRequestException.class).isThrownBy(() -> sorted("name"))
			.withMessage("The sort must be one of: consumers, dead, died, due, handled, inFlight, late, queue, "
					+ "retrying, waiting; with a hyphen before it, the largest come first");
	}

	@Test
	void whatIsHandledASecondIsMeasuredOverTenSeconds() {
		given(QueueView.of(this.store).stats(anyString())).willReturn(handled(0));
		willReturn(handled(1_000_000)).given((QueueView) this.store).stats("queue-55");
		assertThat(sorted("-handled")).as("no rate is known").containsExactly("queue-00", "queue-01", "queue-02");
		willReturn(handled(70)).given((QueueView) this.store).stats("queue-77");
		willReturn(handled(60)).given((QueueView) this.store).stats("queue-88");
		this.nanos += Duration.ofSeconds(10).toNanos();
		assertThat(sorted("-handled")).startsWith("queue-77", "queue-88");
		willReturn(handled(1060)).given((QueueView) this.store).stats("queue-88");
		this.nanos += Duration.ofSeconds(9).toNanos();
		assertThat(sorted("-handled")).startsWith("queue-77", "queue-88");
		this.nanos += Duration.ofSeconds(6).toNanos();
		assertThat(sorted("-handled")).startsWith("queue-88", "queue-77");
	}

	@Test
	void deathsAreReadOfQueuesThatAreShownOnceAMinute() {
		given(QueueView.of(this.store).stats(anyString())).willReturn(died(0));
		willReturn(died(5)).given((QueueView) this.store).stats("queue-00");
		willReturn(died(5)).given((QueueView) this.store).stats("queue-77");
		Instant hour = NOW.truncatedTo(ChronoUnit.HOURS);
		given(QueueView.of(this.store).history("queue-00")).willReturn(new History(Stream.of(24, 23, 1, 0, -1)
			.map((ago) -> new History.Hour(hour.minus(ago, ChronoUnit.HOURS), 9, 0, 2, 0, Duration.ZERO))
			.toList()));
		List<Long> deaths = page().deaths().get("queue-00");
		assertThat(deaths).hasSize(24).startsWith(2L, 0L).endsWith(0L, 2L, 4L);
		assertThat(page().deaths()).containsOnlyKeys("queue-00");
		then(QueueView.of(this.store)).should(times(1)).history(anyString());
		this.nanos += Duration.ofMinutes(1).toNanos();
		willThrow(new StoreUnavailableException("queue-00", null, "Redis is gone", null)).given((QueueView) this.store)
			.history("queue-00");
		assertThat(page().deaths()).isEmpty();
		assertThat(page().deaths()).isEmpty();
		then(QueueView.of(this.store)).should(times(2)).history(anyString());
	}

	private List<String> sorted(String column) {
		return page(this.names, column, 0).order();
	}

	private QueuesDescriptor page(List<String> wanted, String sort, int skip) {
		Comparator<QueueRank> order = QueueRank.order(new RequestArguments(null, Map.of("sort", sort)));
		return this.overview.page(this.names, wanted, order, skip, 3, null);
	}

	@Test
	void figuresAreAddedUpWhenAllHaveBeenRead() {
		given(QueueView.of(this.store).stats(anyString())).willReturn(late(2, Duration.ofSeconds(1)));
		willReturn(late(5000, Duration.ofMinutes(1))).given((QueueView) this.store).stats("queue-77");
		List<String> twice = this.names.subList(0, 2);
		assertThat(this.overview.page(this.names, twice, QueueRank.URGENCY, 0, 1, null).sums()).isNotNull()
			.extracting(QueuesDescriptor.Sums::due)
			.isEqualTo(4L);
		assertThat(page().sums()).isNotNull().satisfies((sums) -> {
			assertThat(sums.waiting()).isEqualTo(5198);
			assertThat(sums.oldestDueAge()).isEqualTo(Duration.ofMinutes(1));
		});
	}

	@Test
	void slowStoreIsAskedForAllQueuesATenthOfTheTime() {
		willAnswer((invocation) -> {
			this.nanos += Duration.ofMillis(100).toNanos();
			return paused(0);
		}).given((QueueView) this.store).stats(anyString());
		assertThat(page().sums()).as("not all are known").isNull();
		then(QueueView.of(this.store)).should(times(53)).stats(anyString());
		then(QueueView.of(this.store)).should(never()).stats("queue-50");
		this.nanos += Duration.ofSeconds(44).toNanos();
		page();
		then(QueueView.of(this.store)).should(times(56)).stats(anyString());
		this.nanos += Duration.ofSeconds(1).toNanos();
		page();
		then(QueueView.of(this.store)).should(times(109)).stats(anyString());
		then(QueueView.of(this.store)).should(times(1)).stats("queue-50");
	}

	@Test
	void readingThatFailsIsNotRepeatedAtOnce() {
		given(QueueView.of(this.store).stats(anyString())).willReturn(paused(0));
		willThrow(new IllegalStateException("bug")).given((QueueView) this.store).stats("queue-50");
		assertThatIllegalStateException().isThrownBy(this::page);
		assertThat(page().order()).containsExactly("queue-00", "queue-01", "queue-02");
		then(QueueView.of(this.store)).should(times(1)).stats("queue-50");
	}

	@Test
	void partOutOfReachDoesNotHideTheOthers() {
		given(QueueView.of(this.store).stats(anyString())).willReturn(paused(0));
		willReturn(paused(7)).given((QueueView) this.store).stats("queue-77");
		page();
		this.names.stream()
			.limit(10)
			.forEach((name) -> willThrow(new StoreUnavailableException(name, null, "Redis is gone", null))
				.given((QueueView) this.store)
				.stats(name));
		this.nanos += Duration.ofSeconds(5).toNanos();
		QueuesDescriptor page = this.overview.page(this.names, this.names, QueueRank.URGENCY, 0, 4, null);
		assertThat(page.order()).containsExactly("queue-00", "queue-01", "queue-02", "queue-77");
		assertThat(page.groups()).containsEntry(Group.DANGER, 3).containsEntry(Group.WARNING, 1);
		assertThat(page.queues().get("queue-77")).isInstanceOf(QueueDescriptor.class);
		this.nanos += Duration.ofSeconds(5).toNanos();
		page = this.overview.page(this.names, this.names, QueueRank.URGENCY, 0, 4, null);
		assertThat(page.groups()).containsEntry(Group.DANGER, 6);
		assertThat(page.order()).containsExactly("queue-00", "queue-01", "queue-02", "queue-03");
		assertThat(page.queues().get("queue-03").trouble()).extracting(Trouble::level)
			.containsExactly(Trouble.Level.NOTE);
	}

	@Test
	void whatHasNotChangedIsNotSentAgain() {
		given(QueueView.of(this.store).stats(anyString())).willReturn(paused(0));
		String first = page().asOf();
		willReturn(paused(1)).given((QueueView) this.store).stats("queue-01");
		QueuesDescriptor page = since(first);
		assertThat(page.queues()).containsOnlyKeys("queue-01");
		assertThat(page.order()).containsExactlyInAnyOrder("queue-00", "queue-01", "queue-02");
		assertThat(since(page.asOf()).queues()).isEmpty();
		assertThat(since(first).queues()).as("by somebody else").containsOnlyKeys("queue-01");
		assertThat(since("of another instance").queues()).hasSize(3);
		assertThat(page().queues()).hasSize(3);
	}

	private QueuesDescriptor since(String asOf) {
		return this.overview.page(this.names, this.names, QueueRank.URGENCY, 0, 3, asOf);
	}

	@Test
	void onlyOneQueueIsLookedAtSoCloselyThatAWaveIsSeen() {
		this.containers.set(StubContainers.consuming("queue-00", Instant.EPOCH));
		given(QueueView.of(this.store).stats(anyString())).willReturn(withinAnHour(1_000_000));
		given(QueueView.of(this.store).history(anyString())).willReturn(History.NONE);
		given(QueueView.of(this.store).forecast(anyString(), any())).willAnswer((invocation) -> {
			List<Long> bars = new ArrayList<>(Collections.nCopies(60, 0L));
			bars.set(7, 1_000_000L);
			return new Forecast(0, bars, true);
		});
		page();
		then(QueueView.of(this.store)).should(never()).forecast(anyString(), any());
		assertThat(this.overview.describe("queue-00").trouble()).extracting(Trouble::code).containsExactly("wave");
		given(QueueView.of(this.store).forecast(anyString(), any()))
			.willThrow(new StoreUnavailableException("queue-00", null, "The database is gone", null));
		assertThat(this.overview.describe("queue-00")).isInstanceOf(QueueDescriptor.class)
			.extracting(QueueEntry::trouble, InstanceOfAssertFactories.LIST)
			.isEmpty();
	}

	@Test
	void queueThatWasHandledIsQuietAfterAnHour() {
		given(QueueView.of(this.store).stats("a")).willReturn(handled(1), handled(2));
		assertThat(this.overview.describe("a").group()).isEqualTo(Group.QUIET);
		assertThat(this.overview.describe("a").group()).isEqualTo(Group.WORKING);
		this.nanos += Duration.ofHours(1).toNanos() - 1;
		assertThat(this.overview.describe("a").group()).isEqualTo(Group.WORKING);
		this.nanos++;
		assertThat(this.overview.describe("a").group()).isEqualTo(Group.QUIET);
	}

	private QueuesDescriptor page() {
		return this.overview.page(this.names, this.names, QueueRank.URGENCY, 0, 3, null);
	}

	private static QueueStats paused(long due) {
		return late(due, Duration.ZERO);
	}

	private static QueueStats late(long due, Duration age) {
		return new QueueStats(due, due, 0, 0, 0, 0, 0, age, null, true,
				new QueueStats.Totals(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
	}

	private static QueueStats withinAnHour(long tasks) {
		return new QueueStats(tasks, 0, 0, 0, 0, 0, 0, 0, Duration.ZERO, null, false,
				new QueueStats.Totals(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), 1,
				Delays.of(new long[] { 0, 0, 0, 0, tasks, 0, 0, 0 }), 0, Duration.ZERO);
	}

	private static QueueStats died(long tasks) {
		return new QueueStats(0, 0, 0, 0, 0, 0, 0, Duration.ZERO, null, false,
				new QueueStats.Totals(0, 0, 0, tasks, 0, 0, 0, 0, 0, 0, 0));
	}

	private static QueueStats handled(long tasks) {
		return new QueueStats(0, 0, 0, 0, 0, 0, 0, Duration.ZERO, null, false,
				new QueueStats.Totals(0, tasks, 0, 0, 0, 0, 0, 0, 0, 0, 0));
	}

}
