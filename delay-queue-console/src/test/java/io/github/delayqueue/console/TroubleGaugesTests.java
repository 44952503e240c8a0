package io.github.delayqueue.console;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.fixtures.MockStores;
import io.github.delayqueue.fleet.ConsumersCache;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.metrics.DelayQueueMetrics;
import io.github.delayqueue.roles.InstanceTraces;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;

/**
 * Tests for {@link TroubleGauges}, among the other meters of a queue.
 */
class TroubleGaugesTests {

	/** For how long figures are good, and a store that is away is left alone. */
	private static final Duration MAX_AGE = Duration.ofSeconds(5);

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final DelayQueueListenerContainerRegistry containers = mock();

	private final TaskStore store = MockStores.create();

	private final MutableClock clock = new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));

	private final DelayQueueMetrics metrics = new DelayQueueMetrics(
			new StaticListableBeanFactory(Map.of("meters", this.meters, "containers", this.containers)), this.store,
			this.clock);

	@BeforeEach
	void register() {
		ConsumersCache consumers = new ConsumersCache(this.store, () -> this.clock.millis() * 1_000_000);
		this.metrics.setGauges(() -> List.of(new TroubleGauges(this.store, consumers, TroubleRules.DEFAULTS)));
		this.metrics.onSchedule("a", 1, Duration.ofMillis(1), null);
	}

	@Test
	void troubleIsGaugedByItsCode() {
		given(QueueView.of(this.store).stats("a")).willReturn(stats());
		given(this.store.requireRole(InstanceTraces.class).attendance()).willReturn(Optional.of(List.of()));
		assertThat(trouble("a")).isEqualTo(Map.of("unreadable", 0.0, "no-consumer", 0.0, "dying", 0.0, "leases-lost",
				0.0, "hanging", 0.0, "behind", 0.0, "paused", 1.0, "retrying", 0.0, "unconsumed", 0.0));
		then(this.store.requireRole(InstanceTraces.class)).should(times(1)).attendance();
		then(QueueView.of(this.store)).should(times(1)).stats("a");
		assertThat(this.meters.get("delay.queue.trouble").gauges()).flatMap((gauge) -> gauge.getId().getTags())
			.extracting(Tag::getKey)
			.containsOnly("queue", "code", "level");
	}

	@Test
	void troubleIsKnownWhenFiguresAreRefusedAndUnknownWhenTheStoreIsAway() {
		given(QueueView.of(this.store).stats("a")).willThrow(new DelayQueueException("a", null, "WRONGTYPE"));
		assertThat(trouble("a")).containsEntry("unreadable", 1.0).containsEntry("behind", 0.0);
		this.clock.advance(MAX_AGE);
		willThrow(gone()).given((QueueView) this.store).stats("a");
		assertThat(trouble("a")).allSatisfy((code, value) -> assertThat(value).isNaN());
	}

	@Test
	void storeThatDoesNotSayWhoConsumesIsLeftAloneHoweverLongThatTook() {
		this.metrics.onSchedule("b", 1, Duration.ofMillis(1), null);
		given(QueueView.of(this.store).stats("a")).willReturn(stats());
		given(this.store.requireRole(InstanceTraces.class).attendance()).willAnswer((invocation) -> {
			this.clock.advance(MAX_AGE);
			throw gone();
		});
		assertThat(trouble("a")).containsEntry("no-consumer", Double.NaN);
		assertThat(trouble("b")).containsEntry("behind", Double.NaN);
		then(this.store.requireRole(InstanceTraces.class)).should(times(1)).attendance();
		then(QueueView.of(this.store)).should(never()).stats("b");
	}

	private Map<String, Double> trouble(String queue) {
		return this.meters.get("delay.queue.trouble")
			.tag("queue", queue)
			.gauges()
			.stream()
			.collect(Collectors.toMap((gauge) -> gauge.getId().getTag("code"), Gauge::value));
	}

	private static StoreUnavailableException gone() {
		return new StoreUnavailableException("a", null, "Redis is gone", null);
	}

	/** Paused, with two that are due. */
	private static QueueStats stats() {
		return new QueueStats(10, 2, 0, 0, 0, 0, 0, Duration.ofSeconds(90), null, true,
				new QueueStats.Totals(10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
	}

}
