package io.github.delayqueue.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.failover.ServerInspection;
import io.github.delayqueue.failover.ServerReport;
import io.github.delayqueue.fixtures.MockStores;
import io.github.delayqueue.fixtures.StubContainers;
import io.github.delayqueue.fleet.ConsumersCache;
import io.github.delayqueue.roles.Attendance;
import io.github.delayqueue.roles.InstanceTraces;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;

/**
 * Tests for {@link DelayQueueHealth}, as {@link DelayQueueHealthIndicator} shows it.
 */
class DelayQueueHealthIndicatorTests {

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private final MutableClock clock = new MutableClock(START);

	private final TaskStore store = MockStores.create();

	private final StubContainers containers = new StubContainers();

	private final DelayQueueHealthIndicator indicator = indicator(null, null);

	@BeforeEach
	void storeAnswers() {
		given(QueueView.of(this.store).queues()).willReturn(Set.of());
		given(QueueView.of(this.store).stats(anyString())).willReturn(lag(Duration.ZERO));
	}

	@Test
	void upWithoutDetailsWhenThereAreNoListeners() {
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).isEmpty();
	}

	@Test
	void downWithReasonWhenStoreDoesNotAnswer() {
		given(QueueView.of(this.store).queues()).willThrow(new DelayQueueException(null, null, "Redis is gone"));
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails().get("error")).asString().contains("Redis is gone");
	}

	@Test
	void upWithTheQueuesThatNobodyConsumes() {
		given(QueueView.of(this.store).queues())
			.willReturn(new TreeSet<>(Set.of("misspelt", "order_timeout", "webhook")));
		given(this.store.requireRole(InstanceTraces.class).attendance())
			.willReturn(Optional.of(List.of(new Attendance("1", Instant.EPOCH, Duration.ofMillis(27),
					"{\"every\":9,\"consumers\":[{\"queue\":\"webhook\"}]}"))));
		this.containers.set(StubContainers.running("a", START));
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsEntry("queuesWithoutConsumer", List.of("misspelt"));
		given(this.store.requireRole(InstanceTraces.class).attendance())
			.willThrow(new DelayQueueException(null, null, "WRONGTYPE"));
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.UP);
		assertThat(this.indicator.health().getDetails()).doesNotContainKey("queuesWithoutConsumer");
	}

	@Test
	void tenChecksInARowReadTheTracesOfInstancesOnce() {
		given(this.store.requireRole(InstanceTraces.class).attendance()).willReturn(Optional.of(List.of()));
		for (int i = 0; i < 10; i++) {
			assertThat(this.indicator.health().getStatus()).isEqualTo(Status.UP);
		}
		then(this.store.requireRole(InstanceTraces.class)).should(times(1)).attendance();
	}

	@Test
	void figuresThatNobodyLimitsAreNotAskedFor() {
		given(QueueView.of(this.store).queues()).willReturn(Set.of("misspelt", "order_timeout"));
		given(this.store.requireRole(InstanceTraces.class).attendance()).willReturn(Optional.of(List.of()));
		given(QueueView.of(this.store).stats(anyString()))
			.willThrow(new StoreUnavailableException("order_timeout", null, "The database is gone", null));
		this.containers.set(StubContainers.running("a", START));
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(listener(health, "a")).doesNotContainKeys("lag", "lagging");
		then(QueueView.of(this.store)).should(never()).stats(anyString());
	}

	@Test
	void limitedLagAsksForNoFiguresOfOthersAndOfPausedQueues() {
		given(QueueView.of(this.store).queues()).willReturn(Set.of("misspelt", "order_timeout"));
		given(this.store.requireRole(InstanceTraces.class).attendance()).willReturn(Optional.of(List.of()));
		given(QueueView.of(this.store).stats(anyString())).willThrow(new DelayQueueException(null, null, "WRONGTYPE"));
		this.containers.set(StubContainers.status("a", true, true, START, null, StubContainers.POLL_INTERVAL));
		assertThat(limited().health().getStatus()).isEqualTo(Status.UP);
		then(QueueView.of(this.store)).should(never()).stats(anyString());
	}

	@Test
	void upWithWhatTheServerSaysAndItsDangers() {
		ServerReport report = new ServerReport(List.of("a:1", "b:2"), "Redis 7.0.15", "primary", "allkeys-lru",
				"aof everysec", null, List.of("set noeviction"));
		Health health = indicator(() -> Optional.of(report)).health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsOnly(Map.entry("redis",
				Map.of("servers", List.of("a:1", "b:2"), "version", "Redis 7.0.15", "role", "primary",
						"maxmemoryPolicy", "allkeys-lru", "persistence", "aof everysec", "readsFromReplicas", "unknown",
						"warnings", List.of("set noeviction"))));
	}

	@Test
	void serverIsNotAskedForMoreWhenTheStoreDoesNotAnswer() {
		given(QueueView.of(this.store).queues()).willThrow(new DelayQueueException(null, null, "Redis is gone"));
		Health health = indicator(() -> {
			throw new AssertionError("asked");
		}).health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).doesNotContainKey("redis");
	}

	@Test
	void tellsOfWorkersThatHandlersKeepBeyondTheirTimeout() {
		this.containers.set(StubContainers.stuck("a", START));
		this.containers.set(StubContainers.running("b", START));
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(listener(health, "a")).containsEntry("stuckWorkers", 2);
		assertThat(listener(health, "b")).doesNotContainKey("stuckWorkers");
	}

	@Test
	void downWhenTheOldestDueTaskWaitsForLongerThanIsAllowed() {
		this.containers.set(StubContainers.running("a", START));
		this.containers.set(StubContainers.running("b", START));
		DelayQueueHealthIndicator limited = limited();
		given(QueueView.of(this.store).stats("order_timeout")).willReturn(lag(Duration.ofMinutes(1)));
		assertThat(limited.health().getStatus()).isEqualTo(Status.UP);
		assertThat(listener(limited.health(), "a")).containsEntry("lag", Duration.ofMinutes(1))
			.containsEntry("lagging", false);
		given(QueueView.of(this.store).stats("order_timeout")).willReturn(lag(Duration.ofMillis(60_001)));
		Health health = limited.health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(listener(health, "b")).containsEntry("lagging", true);
		assertThat(health.getDetails()).containsEntry("remark", Set.of("order_timeout"));
		then(QueueView.of(this.store)).should(times(3)).stats("order_timeout");
	}

	@Test
	void lagOfAPausedQueueAndOfAStoppedListenerIsNobodysFault() {
		DelayQueueHealthIndicator limited = limited();
		given(QueueView.of(this.store).stats("order_timeout")).willReturn(lag(Duration.ofDays(1)));
		this.containers.set(StubContainers.stopped("a", START));
		assertThat(limited.health().getStatus()).isEqualTo(Status.UP);
		this.containers.set(StubContainers.status("a", true, true, START, null, StubContainers.POLL_INTERVAL));
		assertThat(limited.health().getStatus()).isEqualTo(Status.UP);
		assertThat(listener(limited.health(), "a")).doesNotContainKey("lag");
		this.containers.set(StubContainers.running("a", START));
		assertThat(limited.health().getStatus()).isEqualTo(Status.DOWN);
	}

	@Test
	void downWhenTheLagCannotBeRead() {
		this.containers.set(StubContainers.running("a", START));
		DelayQueueHealthIndicator limited = limited();
		given(QueueView.of(this.store).stats("order_timeout"))
			.willThrow(new DelayQueueException("order_timeout", null, "Redis refused"));
		Health health = limited.health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(listener(health, "a")).containsEntry("running", true);
	}

	private static QueueStats lag(Duration oldestDueAge) {
		return new QueueStats(1, 1, 0, 0, 0, 0, 0, oldestDueAge, null, false,
				new QueueStats.Totals(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
	}

	private DelayQueueHealthIndicator limited() {
		return indicator(null, Duration.ofMinutes(1));
	}

	private DelayQueueHealthIndicator indicator(ServerInspection inspection) {
		return indicator(inspection, null);
	}

	private DelayQueueHealthIndicator indicator(@Nullable ServerInspection inspection, @Nullable Duration maxLag) {
		return new DelayQueueHealthIndicator(new DelayQueueHealth(this.store, this.containers.registry(),
				new ConsumersCache(this.store, () -> this.clock.millis() * 1_000_000), this.clock, inspection, maxLag,
				(figures) -> figures.isEmpty() ? Map.of() : Map.of("remark", figures.keySet())));
	}

	@Test
	void showsListenersEvenWhenStoreDoesNotAnswer() {
		given(QueueView.of(this.store).queues()).willThrow(new DelayQueueException(null, null, "Redis is gone"));
		this.containers.set(StubContainers.running("a", START));
		assertThat(listener(this.indicator.health(), "a")).containsEntry("running", true);
	}

	@Test
	void upAtTheEndOfGraceAndDownAfterIt() {
		this.containers.set(StubContainers.running("a", START));
		this.clock.advance(Duration.ofSeconds(10));
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.UP);
		this.clock.advance(Duration.ofMillis(1));
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.DOWN);
	}

	@Test
	void graceIsThreePollIntervalsWhenTheyAreLong() {
		this.containers.set(StubContainers.status("a", true, false, START, null, Duration.ofSeconds(20)));
		this.clock.advance(Duration.ofSeconds(60));
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.UP);
		this.clock.advance(Duration.ofMillis(1));
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.DOWN);
	}

	@Test
	void downNamesTheStaleListenerAndItsLastError() {
		this.containers.set(StubContainers.running("healthy", START.plusSeconds(60)));
		this.containers.set(StubContainers.status("stale", true, false, START, new IllegalStateException("no answer"),
				StubContainers.POLL_INTERVAL));
		this.clock.advance(Duration.ofSeconds(60));
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(listener(health, "healthy")).containsEntry("stale", false);
		assertThat(listener(health, "stale")).containsEntry("stale", true)
			.containsEntry("lastPollAge", Duration.ofSeconds(60))
			.containsEntry("lastError", "java.lang.IllegalStateException: no answer");
	}

	@Test
	void upWithDetailWhenStoppedHoweverOldTheLastPoll() {
		this.containers.set(StubContainers.stopped("a", START));
		this.clock.advance(Duration.ofDays(1));
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(listener(health, "a")).containsEntry("running", false);
	}

	@Test
	void upDuringGraceWhenNeverPolledAndDownAfterIt() {
		this.containers.set(StubContainers.running("a", null));
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(listener(health, "a")).doesNotContainKey("lastPollAge");
		this.clock.advance(Duration.ofSeconds(10));
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.UP);
		this.clock.advance(Duration.ofMillis(1));
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.DOWN);
	}

	@Test
	void upDuringGraceWhenStartedAgainAfterALongStop() {
		this.containers.set(StubContainers.stopped("a", START));
		this.clock.advance(Duration.ofHours(1));
		this.indicator.health();
		this.containers.set(StubContainers.running("a", START));
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.UP);
		this.clock.advance(Duration.ofSeconds(11));
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.DOWN);
	}

	@Test
	void downAtOnceWhenTheFirstCheckFindsAnOldPoll() {
		this.containers.set(StubContainers.running("a", START));
		this.clock.advance(Duration.ofHours(1));
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.DOWN);
	}

	@Test
	void graceStartsAnewWhenAnIdIsRegisteredAgain() {
		this.containers.set(StubContainers.running("a", null));
		this.indicator.health();
		this.containers.remove("a");
		this.clock.advance(Duration.ofHours(1));
		this.indicator.health();
		this.containers.set(StubContainers.running("a", null));
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.UP);
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> listener(Health health, String id) {
		return ((Map<String, Map<String, Object>>) health.getDetails().get("listeners")).get(id);
	}

}
