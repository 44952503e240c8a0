package io.github.delayqueue.retention;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.RecordingEvents;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.listener.Gate;
import io.github.delayqueue.listener.ListenerFixture;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.PatientThreads;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.roles.Retention;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Instances whose listeners tend their queue.
 */
@Execution(ExecutionMode.CONCURRENT)
class RetentionTests {

	private static final String QUEUE = "orders";

	private final InMemoryTaskStore store = new InMemoryTaskStore(Clock.systemUTC());

	private final RecordingEvents events = new RecordingEvents();

	@Test
	void tellsOfDeadTasksThatARetentionRemoves() {
		Retention retention = new Retention(Duration.ZERO, null, 1L);
		QueueOptions settings = ListenerFixture.settings(Duration.ofMillis(50), retention, null);
		try (ListenerFixture instance = open(this.store, settings)) {
			instance.register(QUEUE, (task, context) -> TaskResult.deadLetter("for a test"),
					ListenerOptions.builder().concurrency(1).build());
			instance.schedule(QUEUE, "first", "payload", Duration.ZERO);
			await().until(() -> this.store.stats(QUEUE).dead() == 1);
			instance.schedule(QUEUE, "second", "payload", Duration.ofMillis(20));
			await().until(() -> !this.events.purged().isEmpty());
			assertThat(this.events.purged()).containsExactly("first");
		}
	}

	@Test
	void oneOfSeveralInstancesTendsOnceASecond() {
		FaultyTaskStore counting = new FaultyTaskStore(this.store);
		QueueOptions settings = ListenerFixture.settings(Duration.ofMillis(10),
				new Retention(Duration.ofHours(1), null, null), null);
		long begin = System.nanoTime();
		try (ListenerFixture one = open(counting, settings); ListenerFixture other = open(counting, settings)) {
			for (ListenerFixture instance : List.of(one, other)) {
				instance.register(QUEUE, (task, context) -> TaskResult.done(), ListenerOptions.defaults());
			}
			await().until(() -> {
				one.schedule(QUEUE, "task-" + System.nanoTime(), "payload", Duration.ZERO);
				return counting.calls(Step.TEND) == 3;
			});
		}
		Duration elapsed = Duration.ofNanos(System.nanoTime() - begin);
		assertThat(elapsed).isGreaterThanOrEqualTo(Duration.ofMillis(1999));
		assertThat(counting.calls(Step.CLAIM)).isGreaterThan(3);
	}

	/** What is done for the queue as a whole keeps no task waiting. */
	@Test
	void claimsGoOnWhileTendingHangs() {
		FaultyTaskStore store = new FaultyTaskStore(this.store);
		Gate gate = new Gate();
		store.before(Step.TEND, gate::passUninterrupted);
		QueueOptions settings = ListenerFixture.settings(Duration.ofMillis(200), Retention.NONE, null);
		try (ListenerFixture instance = open(store, settings)) {
			instance.register(QUEUE, (task, context) -> TaskResult.done(), ListenerOptions.defaults());
			instance.schedule(QUEUE, "first", "payload", Duration.ZERO);
			await().until(() -> gate.entered() > 0);
			instance.schedule(QUEUE, "later", "payload", Duration.ZERO);
			await().until(() -> this.store.stats(QUEUE).totals().completed() == 2);
			assertThat(gate.entered()).isEqualTo(1);
			gate.open();
		}
	}

	/** Nothing is due that anybody would claim again for. */
	@Test
	void tendsAlsoWhereNoThreadWasFreeWhenAClaimSaidSo() {
		MutableClock clock = new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));
		InMemoryTaskStore store = new InMemoryTaskStore(clock);
		store.schedule(QUEUE, List.of(Tasks.task("kept")));
		store.claim(QUEUE, ClaimRequest.of("t", 1, Duration.ofSeconds(30)));
		store.settle(QUEUE, List.of(Endings.complete("kept", "t", true)));
		clock.advance(Duration.ofSeconds(1));
		AtomicInteger asked = new AtomicInteger();
		PatientThreads threads = new PatientThreads(false) {

			@Override
			public boolean beside(Runnable calls) {
				return asked.incrementAndGet() > 1 && super.beside(calls);
			}

		};
		try (ListenerFixture idle = new ListenerFixture(store,
				ListenerFixture.settings(ListenerFixture.FOR_EVER, Retention.NONE, null), threads,
				List.of(new Housekeeping()))) {
			idle.register(QUEUE, (task, context) -> TaskResult.done(), ListenerOptions.defaults());
			await().until(() -> store.stats(QUEUE).completed() == 0);
		}
		assertThat(asked).hasValue(2);
	}

	private ListenerFixture open(TaskStore store, QueueOptions settings) {
		return new ListenerFixture(store, settings, ListenerFixture.threads(), List.of(new Housekeeping()),
				this.events);
	}

}
