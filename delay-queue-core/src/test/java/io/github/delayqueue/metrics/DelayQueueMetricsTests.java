package io.github.delayqueue.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.Collectors;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.fixtures.MockStores;
import io.github.delayqueue.listener.ContainerStatus;
import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.metrics.QueueGauges.QueueGauge;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;

/**
 * Tests for {@link DelayQueueMetrics}.
 */
class DelayQueueMetricsTests {

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final DelayQueueListenerContainerRegistry containers = mock();

	private final TaskStore store = MockStores.create();

	private final MutableClock clock = new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));

	private final DelayQueueMetrics metrics = new DelayQueueMetrics(
			new StaticListableBeanFactory(Map.of("meters", this.meters, "containers", this.containers)), this.store,
			this.clock);

	@Test
	void schedulingIsTimedByQueue() {
		this.metrics.onSchedule("a", 1, Duration.ofMillis(2), null);
		this.metrics.onSchedule("a", 0, Duration.ofMillis(4), new DelayQueueException("a", null, "Redis is gone"));
		this.metrics.onSchedule("b", 1, Duration.ofMillis(8), null);
		assertTimer(this.meters.get("delay.queue.schedule").tag("queue", "a").timer(), 2, Duration.ofMillis(6));
		assertTimer(this.meters.get("delay.queue.schedule").tag("queue", "b").timer(), 1, Duration.ofMillis(8));
	}

	@Test
	void latenessIsTimedByQueue() {
		this.metrics.onStart("a", "1", Duration.ofMillis(3));
		assertTimer(this.meters.get("delay.queue.lateness").tag("queue", "a").timer(), 1, Duration.ofMillis(3));
	}

	@ParameterizedTest
	@CsvSource({ "SUCCESS, success", "RETRY, retry", "DEAD, dead", "STALE, stale" })
	void handlersAreTimedByQueueAndOutcome(DeliveryOutcome outcome, String tag) {
		this.metrics.onEnd("a", "1", outcome, Duration.ofMillis(7), null);
		assertTimer(this.meters.get("delay.queue.process").tags("queue", "a", "outcome", tag).timer(), 1,
				Duration.ofMillis(7));
	}

	@Test
	void metersThatAreNotKeptByQueueAreOneForAll() {
		this.metrics.setPerQueue(List.of("delay.queue.tasks", "delay.queue.schedule.errors"));
		for (String queue : List.of("a", "b")) {
			this.metrics.onStart(queue, "1", Duration.ofMillis(3));
			this.metrics.onSchedule(queue, 1, Duration.ofMillis(2), new DelayQueueException(queue, null, "gone"));
		}
		assertTimer(this.meters.get("delay.queue.lateness").tag("queue", "(other)").timer(), 2, Duration.ofMillis(6));
		assertTimer(this.meters.get("delay.queue.schedule").tag("queue", "(other)").timer(), 2, Duration.ofMillis(4));
		assertThat(this.meters.getMeters()
			.stream()
			.filter((meter) -> "a".equals(meter.getId().getTag("queue")))
			.map((meter) -> meter.getId().getName())
			.distinct())
			.containsExactlyInAnyOrder("delay.queue.tasks", "delay.queue.tasks.ahead", "delay.queue.schedule.errors");
	}

	@Test
	void tasksThatWereTakenOverAreCountedByQueue() {
		this.metrics.onTakeOver("a", "shop-1", 3);
		this.metrics.onTakeOver("a", "shop-2", 4);
		assertThat(this.meters.get("delay.queue.taken.over").tag("queue", "a").counter().count()).isEqualTo(7);
	}

	@Test
	void pollErrorsAreCountedByQueue() {
		this.metrics.onPollError("a", new IllegalStateException());
		this.metrics.onPollError("a", new IllegalStateException());
		assertThat(this.meters.get("delay.queue.poll.errors").tag("queue", "a").counter().count()).isEqualTo(2);
	}

	@Test
	void claimsAreCountedByWhetherTheyBroughtTasks() {
		this.metrics.onClaim("a", 3);
		this.metrics.onClaim("a", 0);
		this.metrics.onClaim("a", 0);
		assertThat(this.meters.get("delay.queue.claims").tag("result", "tasks").counter().count()).isEqualTo(1);
		assertThat(this.meters.get("delay.queue.claims").tag("result", "empty").counter().count()).isEqualTo(2);
	}

	@Test
	void figuresOfQueuesThatAreScheduledToAreGauged() {
		given(QueueView.of(this.store).stats("a")).willReturn(stats());
		this.metrics.onSchedule("a", 1, Duration.ofMillis(1), null);
		assertThat(gauges()).isEqualTo(Map.of("waiting", 10.0, "due", 2.0, "in_flight", 3.0, "leases_lost", 4.0,
				"retrying", 5.0, "dead", 6.0, "completed", 7.0, "in_database_only", 8.0));
		assertThat(this.meters.get("delay.queue.oldest.due.age").tag("queue", "a").timeGauge().value(TimeUnit.SECONDS))
			.isEqualTo(90);
		assertThat(this.meters.get("delay.queue.tasks.ahead").tag("queue", "a").gauge().value()).isEqualTo(1 + 2 + 4);
		assertThat(this.meters.get("delay.queue.paused").tag("queue", "a").gauge().value()).isEqualTo(1);
	}

	@Test
	void gaugesOfPartsAreToldTheFiguresThatOthersHaveRead() {
		given(QueueView.of(this.store).stats("a")).willReturn(stats());
		this.metrics.setGauges(() -> List.of(() -> List.of(gauge((queue, stats) -> stats.dead()))));
		this.metrics.onSchedule("a", 1, Duration.ofMillis(1), null);
		assertThat(gauges()).containsEntry("dead", 6.0);
		assertThat(this.meters.get("further").tags("queue", "a", "kind", "some").gauge().value()).isEqualTo(6);
		then(QueueView.of(this.store)).should(times(1)).stats("a");
	}

	@Test
	void gaugesOfPartsAreToldThatFiguresAreRefusedAndNotAskedWhileTheStoreIsAway() {
		given(QueueView.of(this.store).stats("a")).willThrow(new DelayQueueException("a", null, "WRONGTYPE"));
		this.metrics.setGauges(() -> List.of(() -> List.of(gauge((queue, stats) -> (stats == null) ? 1 : 0))));
		this.metrics.onSchedule("a", 1, Duration.ofMillis(1), null);
		Gauge further = this.meters.get("further").gauge();
		assertThat(further.value()).isEqualTo(1);
		this.clock.advance(StatsCache.MAX_AGE);
		willThrow(new StoreUnavailableException("a", null, "Redis is gone", null)).given((QueueView) this.store)
			.stats("a");
		assertThat(further.value()).isNaN();
	}

	private static QueueGauge gauge(ToDoubleBiFunction<String, @Nullable QueueStats> value) {
		return new QueueGauge("further", "Something", List.of("kind", "some"), value);
	}

	@Test
	void totalsOfTheStoreAreCounters() {
		given(QueueView.of(this.store).stats("a")).willReturn(stats());
		this.metrics.onSchedule("a", 1, Duration.ofMillis(1), null);
		assertThat(events()).isEqualTo(Map.ofEntries(Map.entry("scheduled", 3.0), Map.entry("completed", 12.0),
				Map.entry("retried", 13.0), Map.entry("dead_lettered", 14.0), Map.entry("cancelled", 15.0),
				Map.entry("replaced", 16.0), Map.entry("cleared", 17.0), Map.entry("deleted", 18.0),
				Map.entry("redriven", 19.0), Map.entry("leases_lost", 20.0), Map.entry("stale", 21.0)));
	}

	@Test
	void totalsStayWhileTheStoreDoesNotAnswer() {
		given(QueueView.of(this.store).stats("a")).willReturn(stats())
			.willThrow(new StoreUnavailableException("a", null, "Redis is gone", null));
		this.metrics.onSchedule("a", 1, Duration.ofMillis(1), null);
		Map<String, Double> before = events();
		this.clock.advance(StatsCache.MAX_AGE);
		assertThat(events()).isEqualTo(before);
		assertThat(gauges()).allSatisfy((state, value) -> assertThat(value).isNaN());
	}

	@Test
	void failedCallsThatScheduleAreCounted() {
		this.metrics.onSchedule("a", 1, Duration.ofMillis(2), null);
		this.metrics.onSchedule("a", 0, Duration.ofMillis(4), new DelayQueueException("a", null, "Redis is gone"));
		assertThat(this.meters.get("delay.queue.schedule.errors").tag("queue", "a").counter().count()).isEqualTo(1);
	}

	@Test
	void workersOfTheListenersOfAQueueAreGauged() {
		List<DelayQueueListenerContainer> listeners = List.of(container("a", true, 8, 3, 2),
				container("a", true, 4, 4, 1), container("a", false, 2, 1, 0), container("b", true, 100, 50, 9));
		given(this.containers.getContainers()).willReturn(listeners);
		this.metrics.onClaim("a", 0);
		assertThat(workers("busy")).isEqualTo(3 + 4 + 1);
		assertThat(workers("free")).isEqualTo(5);
		assertThat(this.meters.get("delay.queue.workers.stuck").tags("queue", "a").gauge().value()).isEqualTo(3);
	}

	@Test
	void numberOfQueuesIsBounded() {
		for (int i = 0; i < 2 * DelayQueueMetrics.MAX_QUEUES; i++) {
			this.metrics.onSchedule("queue-" + i, 1, Duration.ofMillis(1), null);
			this.metrics.onStart("queue-" + i, "1", Duration.ZERO);
		}
		assertThat(this.meters.get("delay.queue.schedule").timers()).hasSize(DelayQueueMetrics.MAX_QUEUES + 1);
		assertThat(this.meters.get("delay.queue.lateness").timers()).hasSize(DelayQueueMetrics.MAX_QUEUES + 1);
		assertThat(this.meters.get("delay.queue.tasks").gauges()).hasSize(DelayQueueMetrics.MAX_QUEUES * 8);
		assertThat(this.meters.get("delay.queue.schedule").tag("queue", "(other)").timer().count())
			.isEqualTo(DelayQueueMetrics.MAX_QUEUES);
		assertThat(this.meters.get("delay.queue.lateness").tag("queue", "(other)").timer().count())
			.isEqualTo(DelayQueueMetrics.MAX_QUEUES);
	}

	@Test
	void metersAreTaggedWithNothingOfATask() {
		this.metrics.onSchedule("a", 1, Duration.ZERO, null);
		for (int i = 0; i < 100; i++) {
			this.metrics.onStart("a", "task-" + i, Duration.ZERO);
			this.metrics.onEnd("a", "task-" + i, DeliveryOutcome.SUCCESS, Duration.ZERO, null);
		}
		assertThat(meters()).hasSize(8 + 1 + 1 + 1 + 11 + 1 + 5 + 2 + 1 + 2 + 1 + 1 + 1 + 1);
		assertThat(meters()).flatMap(Meter.Id::getTags)
			.map(Tag::getKey)
			.containsOnly("queue", "state", "event", "outcome", "result");
	}

	/** Without the gauges by which this registry shows buckets. */
	private List<Meter.Id> meters() {
		return this.meters.getMeters()
			.stream()
			.map(Meter::getId)
			.filter((id) -> !id.getName().endsWith(".histogram"))
			.toList();
	}

	private Map<String, Double> events() {
		return this.meters.get("delay.queue.events")
			.tag("queue", "a")
			.functionCounters()
			.stream()
			.collect(Collectors.toMap((counter) -> counter.getId().getTag("event"), FunctionCounter::count));
	}

	private double workers(String state) {
		return this.meters.get("delay.queue.workers").tags("queue", "a", "state", state).gauge().value();
	}

	private static DelayQueueListenerContainer container(String queue, boolean running, int concurrency, int active,
			int stuck) {
		DelayQueueListenerContainer container = mock();
		given(container.getQueue()).willReturn(queue);
		given(container.status()).willReturn(new ContainerStatus("id", queue, running, false, concurrency, active,
				stuck, null, null, Duration.ofSeconds(1), 0, 0));
		return container;
	}

	private Map<String, Double> gauges() {
		return this.meters.get("delay.queue.tasks")
			.tag("queue", "a")
			.gauges()
			.stream()
			.collect(Collectors.toMap((gauge) -> gauge.getId().getTag("state"), Gauge::value));
	}

	private static void assertTimer(Timer timer, long count, Duration total) {
		assertThat(timer.count()).isEqualTo(count);
		assertThat(timer.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(total.toMillis());
	}

	private static QueueStats stats() {
		return new QueueStats(10, 2, 3, 4, 5, 6, 7, 8, Duration.ofSeconds(90), null, true,
				new QueueStats.Totals(11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21), 1,
				QueueStats.Delays.of(new long[] { 1, 2, 4, 8, 16, 32, 64, 128 }), 0, Duration.ZERO);
	}

}
