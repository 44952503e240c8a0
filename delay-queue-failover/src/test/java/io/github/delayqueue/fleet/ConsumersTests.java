package io.github.delayqueue.fleet;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.delayqueue.fleet.InstanceTrace.Call;
import io.github.delayqueue.fleet.InstanceTrace.Consumer;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Presence}, {@link InstanceTrace} and {@link Consumers}.
 */
class ConsumersTests {

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private final MutableClock clock = new MutableClock(START);

	private final InMemoryTaskStore store = new InMemoryTaskStore(this.clock);

	private final Presence presence = new Presence(this.store, this::nanoTime, "shop", "1.4.2");

	@Test
	void traceIsReadAsItWasWritten() {
		this.clock.advance(Duration.ofHours(1));
		Consumer listener = new Consumer("orders.close", "orders", true, 8, 3, Duration.ofMinutes(3),
				Duration.ofMillis(7), List.of(new Call("order-1", Duration.ofMinutes(2), Duration.ofSeconds(15))));
		Consumer stopped = new Consumer("orders.open", "orders", false, 2, 0, Duration.ofMinutes(1), null, List.of());
		Consumer poll = new Consumer(null, "mails", true, 0, null, Duration.ZERO, null, List.of());
		this.presence.leave(Presence.LATEST, () -> List.of(listener, stopped, poll));
		String text = this.store.attendance().orElseThrow().get(0).trace();
		InstanceTrace trace = InstanceTrace.read(text);
		assertThat(trace).isNotNull();
		assertThat(trace.consumers()).containsExactly(listener, poll, stopped);
		this.clock.advance(Duration.ofSeconds(9));
		assertThat(consumers().runningIn("orders")).singleElement()
			.satisfies((running) -> assertThat(running.task()).isEqualTo("order-1"))
			.extracting(Consumers.Running::ran)
			.isEqualTo(Duration.ofSeconds(129));
		assertThat(consumers().runningIn("mails")).isEmpty();
		assertThat(trace.startedAgo()).isEqualTo(Duration.ofHours(1));
		assertThat(trace.every()).isEqualTo(Presence.LATEST);
		assertThat(trace.pid()).isEqualTo(ProcessHandle.current().pid());
		assertThat(trace.application()).isEqualTo("shop");
		assertThat(trace.applicationVersion()).isEqualTo("1.4.2");
		assertThat(trace.complete()).isTrue();
		assertThat(trace.ended()).isFalse();
	}

	@Test
	void anInstanceThatIsGoneConsumesNoMoreButHasConsumed() {
		leave(this.presence, "orders");
		leave(new Presence(this.store, this::nanoTime, "shop", "1.4.2"), "orders", "mails");
		assertThat(consumers().of("orders")).isEqualTo(2);
		assertThat(consumers().workersOf("orders")).isEqualTo(2);
		assertThat(consumers().of("mails")).isEqualTo(1);
		assertThat(consumers().of("other")).isZero();
		assertThat(consumers().workersOf("other")).isZero();
		assertThat(consumers().everOf("other")).isFalse();
		this.clock.advance(Duration.ofMinutes(1));
		leave(this.presence, "orders");
		assertThat(consumers().of("mails")).isEqualTo(1);
		this.clock.advance(Duration.ofMillis(1));
		assertThat(consumers().of("orders")).isEqualTo(1);
		assertThat(consumers().of("mails")).isZero();
		assertThat(consumers().everOf("mails")).isTrue();
	}

	/** Earlier versions go by the time until the next trace alone. */
	@Test
	void anInstanceThatIsShutDownIsGoneAtOnceAndWasTheLastConsumer() {
		leave(this.presence, "orders");
		assertThat(consumers().lastOf("orders")).isNull();
		this.clock.advance(Duration.ofSeconds(1));
		this.presence.leave(Duration.ZERO, () -> List.of(consumer("orders")));
		assertThat(consumers().of("orders")).isZero();
		assertThat(consumers().everOf("orders")).isTrue();
		Consumers.Last last = consumers().lastOf("orders");
		assertThat(last).isNotNull();
		assertThat(last.at()).isEqualTo(START.plusSeconds(1));
		assertThat(last.end()).isEqualTo(Consumers.Last.End.SHUTDOWN);
		this.clock.advance(Duration.ofMillis(1));
		assertThat(this.store.attendance().orElseThrow().get(0).trace()).contains("\"every\":0,");
	}

	@Test
	void whoFellSilentAndWhoseListenerWasStoppedAreLastConsumersToo() {
		leave(this.presence, "orders");
		this.clock.advance(Duration.ofHours(1));
		assertThat(consumers().lastOf("orders")).isNotNull()
			.extracting(Consumers.Last::at, Consumers.Last::end)
			.containsExactly(START, Consumers.Last.End.SILENT);
		Consumer stopped = new Consumer("l", "orders", false, 1, 0, Duration.ofMinutes(5), Duration.ofMinutes(5),
				List.of());
		Consumer never = new Consumer("n", "mails", false, 1, 0, Duration.ofMinutes(5), null, List.of());
		new Presence(this.store, this::nanoTime, "shop", "1.4.2").leave(Presence.LATEST, () -> List.of(stopped, never));
		assertThat(consumers().of("orders")).isZero();
		assertThat(consumers().lastOf("orders")).isNotNull()
			.extracting(Consumers.Last::at, Consumers.Last::end)
			.containsExactly(START.plus(Duration.ofMinutes(55)), Consumers.Last.End.STOPPED);
		assertThat(consumers().lastOf("mails")).isNull();
	}

	@Test
	void holderOfLeasesIsTheInstanceWhoseIdBeginsSo() {
		leave(this.presence, "orders");
		leave(new Presence(this.store, this::nanoTime, "shop", "1.4.2"), "orders");
		assertThat(Consumers.holder(this.store, Presence.holderOf(this.presence.id()))).get()
			.extracting(Consumers.Instance::id)
			.isEqualTo(this.presence.id());
		assertThat(Consumers.holder(this.store, "x".repeat(12))).isEmpty();
	}

	@Test
	void tracesOfEarlierVersionsAreRead() {
		this.store.attend("x",
				"""
						{"host":"shop-1","pid":4711,"version":"0.1.0","startedAgo":60000,"every":20000,"complete":true,"later":true,
						"consumers":[{"listener":"orders.close","queue":"orders","workers":8,"since":59000,"polledAgo":412}]}
						""");
		assertThat(consumers().of("orders")).isEqualTo(1);
		InstanceTrace trace = consumers().instances().get(0).trace();
		assertThat(trace.consumers().get(0).active()).isNull();
		assertThat(trace.consumers().get(0).running()).isTrue();
	}

	@Test
	void listenersOfAQueueAreKnownAsLongAsTheirTraces() {
		leave(this.presence, "orders");
		this.presence.leave(Duration.ZERO,
				() -> List.of(new Consumer("a", "orders", true, 1, 0, Duration.ZERO, null, List.of()),
						new Consumer(null, "orders", true, 0, null, Duration.ZERO, null, List.of()),
						consumer("mails")));
		leave(new Presence(this.store, this::nanoTime, "shop", "1.4.2"), "orders");
		this.clock.advance(Duration.ofDays(1));
		assertThat(consumers().listenersOf("orders")).containsExactlyInAnyOrder("a", "orders");
		assertThat(consumers().listenersOf("other")).isEmpty();
	}

	@Test
	void whoConsumesMoreThanATraceCanNameMakesOthersUncertain() {
		this.presence.leave(Presence.LATEST,
				() -> IntStream.rangeClosed(0, InstanceTrace.MAX_CONSUMERS)
					.mapToObj((i) -> consumer("q" + i))
					.toList());
		assertThat(consumers().of("q0")).isEqualTo(1);
		assertThat(consumers().of("other")).isNull();
		assertThat(consumers().everOf("other")).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "no JSON", "[]", "7", "null", "{\"consumers\":7}", "{\"consumers\":[7,{\"queue\":7}]}",
			"{\"consumers\":[{\"queue\":\"not allowed\"}]}", "{\"every\":\"x\",\"consumers\":{\"a\":1}}" })
	void whatOthersHaveWrittenIsPassedOver(String trace) {
		this.store.attend("x", trace);
		leave(this.presence, "orders");
		assertThat(consumers().of("orders")).isEqualTo(1);
		assertThat(consumers().of("other")).isZero();
	}

	@Test
	void aTraceIsLeftNowAndThenAndSoonAfterAChange() {
		assertThat(this.presence.isDue()).isTrue();
		assertThat(this.presence.isDue()).isFalse();
		this.clock.advance(Presence.EVERY.minusNanos(1));
		assertThat(this.presence.isDue()).isFalse();
		this.clock.advance(Duration.ofNanos(1));
		assertThat(this.presence.isDue()).isTrue();
		this.presence.changed();
		assertThat(this.presence.isDue()).isFalse();
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.presence.isDue()).isTrue();
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.presence.isDue()).isFalse();
	}

	private void leave(Presence presence, String... queues) {
		presence.leave(Presence.LATEST, () -> List.of(queues).stream().map(ConsumersTests::consumer).toList());
	}

	private static Consumer consumer(String queue) {
		return new Consumer(queue, queue, true, 1, 0, Duration.ZERO, Duration.ZERO, List.of());
	}

	private Consumers consumers() {
		return Consumers.read(this.store).orElseThrow();
	}

	private long nanoTime() {
		return Duration.between(START, this.clock.instant()).toNanos();
	}

}
