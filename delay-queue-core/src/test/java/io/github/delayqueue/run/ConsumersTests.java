package io.github.delayqueue.run;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.delayqueue.run.InstanceTrace.Consumer;
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

	private final Presence presence = new Presence(this.store, this::nanoTime);

	@Test
	void traceIsReadAsItWasWritten() {
		this.clock.advance(Duration.ofHours(1));
		Consumer listener = new Consumer("orders.close", "orders", 8, Duration.ofMinutes(3), Duration.ofMillis(7));
		Consumer poll = new Consumer(null, "mails", 0, Duration.ZERO, null);
		this.presence.leave(Duration.ofSeconds(1), () -> List.of(listener, poll));
		InstanceTrace trace = InstanceTrace.read(this.store.attendance().orElseThrow().get(0).trace());
		assertThat(trace).isNotNull();
		assertThat(trace.consumers()).containsExactly(listener, poll);
		assertThat(trace.startedAgo()).isEqualTo(Duration.ofHours(1));
		assertThat(trace.every()).isEqualTo(Presence.EVERY);
		assertThat(trace.pid()).isEqualTo(ProcessHandle.current().pid());
		assertThat(trace.complete()).isTrue();
	}

	@Test
	void anInstanceThatIsGoneConsumesNoMoreButHasConsumed() {
		leave(this.presence, "orders");
		leave(new Presence(this.store, this::nanoTime), "orders", "mails");
		assertThat(consumers().of("orders")).isEqualTo(2);
		assertThat(consumers().workersOf("orders")).isEqualTo(2);
		assertThat(consumers().of("mails")).isEqualTo(1);
		assertThat(consumers().of("other")).isZero();
		assertThat(consumers().workersOf("other")).isZero();
		assertThat(consumers().everOf("other")).isFalse();
		this.clock.advance(Presence.EVERY.multipliedBy(3));
		leave(this.presence, "orders");
		assertThat(consumers().of("mails")).isEqualTo(1);
		this.clock.advance(Duration.ofMillis(1));
		assertThat(consumers().of("orders")).isEqualTo(1);
		assertThat(consumers().of("mails")).isZero();
		assertThat(consumers().everOf("mails")).isTrue();
	}

	@Test
	void listenersOfAQueueAreKnownAsLongAsTheirTraces() {
		leave(this.presence, "orders");
		this.presence.leave(Duration.ZERO, () -> List.of(new Consumer("a", "orders", 1, Duration.ZERO, null),
				new Consumer(null, "orders", 0, Duration.ZERO, null), consumer("mails")));
		leave(new Presence(this.store, this::nanoTime), "orders");
		this.clock.advance(Duration.ofDays(1));
		assertThat(consumers().listenersOf("orders")).containsExactlyInAnyOrder("a", "orders");
		assertThat(consumers().listenersOf("other")).isEmpty();
	}

	@Test
	void whoPollsSeldomIsGoneLater() {
		this.presence.leave(Duration.ofHours(1), () -> List.of(consumer("orders")));
		this.clock.advance(Duration.ofHours(3));
		assertThat(consumers().of("orders")).isEqualTo(1);
	}

	@Test
	void whoConsumesMoreThanATraceCanNameMakesOthersUncertain() {
		this.presence.leave(Duration.ZERO,
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
		presence.leave(Duration.ZERO, () -> List.of(queues).stream().map(ConsumersTests::consumer).toList());
	}

	private static Consumer consumer(String queue) {
		return new Consumer(queue, queue, 1, Duration.ZERO, null);
	}

	private Consumers consumers() {
		return Consumers.read(this.store).orElseThrow();
	}

	private long nanoTime() {
		return Duration.between(START, this.clock.instant()).toNanos();
	}

}
