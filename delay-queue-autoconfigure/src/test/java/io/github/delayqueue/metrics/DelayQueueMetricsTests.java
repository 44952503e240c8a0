package io.github.delayqueue.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.support.StaticApplicationContext;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;
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

	private final TaskStore store = mock();

	private final DelayQueueMetrics metrics = new DelayQueueMetrics(() -> this.meters, () -> this.containers,
			this.store, new MutableClock(Instant.parse("2026-01-01T00:00:00Z")));

	@Test
	void registersNothingBeforeThereIsAnEvent() {
		assertThat(this.meters.getMeters()).isEmpty();
	}

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
	void everyOutcomeIsThereFromTheBeginning() {
		this.metrics.onStart("a", "1", Duration.ZERO);
		assertThat(this.meters.get("delay.queue.process").timers())
			.extracting((timer) -> timer.getId().getTag("outcome"))
			.containsExactlyInAnyOrder("success", "retry", "dead", "stale");
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
	void tasksAreGaugedByStateOfQueuesThatAreScheduledTo() {
		given(this.store.stats("a")).willReturn(stats());
		this.metrics.onSchedule("a", 1, Duration.ofMillis(1), null);
		assertThat(gauges()).isEqualTo(Map.of("scheduled", 10.0, "due", 2.0, "in_flight", 3.0, "retrying", 5.0, "dead",
				6.0, "completed", 7.0));
	}

	@Test
	void gaugesOfAQueueCostOneCallOfTheStore() {
		given(this.store.stats("a")).willReturn(stats());
		this.metrics.onSchedule("a", 1, Duration.ofMillis(1), null);
		this.metrics.onStart("a", "1", Duration.ZERO);
		gauges();
		then(this.store).should(times(1)).stats("a");
	}

	@Test
	void gaugesAreNotANumberWhenTheStoreDoesNotAnswer() {
		given(this.store.stats("a")).willThrow(new DelayQueueException("a", null, "Redis is gone"));
		this.metrics.onSchedule("a", 1, Duration.ofMillis(1), null);
		assertThat(gauges()).hasSize(6).allSatisfy((state, value) -> assertThat(value).isNaN());
	}

	@Test
	void consumedQueueHasItsMetersOnceTheContextHasStarted() {
		DelayQueueListenerContainer container = mock();
		given(container.getQueue()).willReturn("a");
		given(this.containers.getContainers()).willReturn(List.of(container));
		try (StaticApplicationContext context = new StaticApplicationContext()) {
			this.metrics.onApplicationEvent(new ContextRefreshedEvent(context));
		}
		assertThat(this.meters.getMeters()).extracting((meter) -> meter.getId().getName())
			.containsOnly("delay.queue.tasks", "delay.queue.lateness", "delay.queue.process", "delay.queue.claims",
					"delay.queue.poll.errors");
	}

	@Test
	void metersAreTaggedWithNothingButQueueStateOutcomeAndResult() {
		this.metrics.onSchedule("a", 1, Duration.ZERO, null);
		for (int i = 0; i < 100; i++) {
			this.metrics.onStart("a", "task-" + i, Duration.ZERO);
			this.metrics.onEnd("a", "task-" + i, DeliveryOutcome.SUCCESS, Duration.ZERO, null);
		}
		assertThat(this.meters.getMeters()).hasSize(6 + 1 + 1 + 4 + 2 + 1);
		assertThat(this.meters.getMeters()).map(Meter::getId)
			.flatMap(Meter.Id::getTags)
			.map(Tag::getKey)
			.containsOnly("queue", "state", "outcome", "result");
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
		return new QueueStats(10, 2, 3, 4, 5, 6, 7, Duration.ZERO, null, false,
				new QueueStats.Totals(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
	}

}
