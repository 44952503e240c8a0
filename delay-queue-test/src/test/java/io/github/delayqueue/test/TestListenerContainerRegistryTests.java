package io.github.delayqueue.test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.config.DelayQueueSettings;
import io.github.delayqueue.convert.FailureJson;
import io.github.delayqueue.convert.Payload;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.interceptors.Interceptors;
import io.github.delayqueue.jackson.JacksonPayloadMapper;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.retry.RetryOptions;
import io.github.delayqueue.roles.DelegatingTaskStore;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.PartlySettledException;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;
import io.github.delayqueue.testsupport.Patience;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TestListenerContainerRegistry}.
 */
class TestListenerContainerRegistryTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

	private final MutableClock clock = new MutableClock(NOW);

	private final InMemoryTaskStore store = new InMemoryTaskStore(this.clock);

	private final TaskCodec codec = TaskCodec.of(new JacksonPayloadMapper(JsonMapper.builder().build()));

	private final List<String> handled = new ArrayList<>();

	private final DeliveryRecorder deliveries = new DeliveryRecorder(this.clock);

	private TestListenerContainerRegistry registry;

	@BeforeEach
	void start() {
		this.registry = registry(this.store, Duration.ofMillis(100));
		this.registry.start();
	}

	private TestListenerContainerRegistry registry(TaskStore store, Duration patience) {
		return new TestListenerContainerRegistry(store, this.codec, new TaskEvents(List.of(this.deliveries)),
				DelayQueueSettings.defaults()::forQueue, patience, this.deliveries, this.clock,
				new Interceptors(List::of));
	}

	@AfterEach
	void stop() {
		this.registry.destroy();
	}

	@Test
	void lowPriorityNeverComesFirstBecauseItIsItsTurn() {
		register("orders");
		for (int i = 0; i < 30; i++) {
			schedule("orders", "high-" + i, Duration.ofSeconds(2), TaskPriority.HIGH);
		}
		schedule("orders", "low", Duration.ofSeconds(1), TaskPriority.LOW);
		this.clock.advance(Duration.ofSeconds(2));
		steps(31);
		assertThat(this.handled.get(30)).startsWith("low ");
	}

	@Test
	void timeStandsStillForWhatIsHandled() {
		Instant[] due = new Instant[1];
		this.registry.register("orders", String.class, (task, context) -> {
			due[0] = task.dueAt();
			for (long begun = System.nanoTime(); System.nanoTime() - begun < 1_000_000;) {
				Thread.onSpinWait();
			}
			throw new IllegalStateException("for a test");
		}, once().build());
		schedule("orders", "1", Duration.ZERO, TaskPriority.NORMAL);
		steps(1);
		assertThat(due[0]).isEqualTo(NOW);
		assertThat(FailureJson.readFailure(this.store.list("orders", TaskState.DEAD, 0, 1).get(0).failure()).at())
			.isEqualTo(NOW);
	}

	@Test
	void stepEndsWhenWhatWasHeldBackIsSettled() {
		AtomicInteger calls = new AtomicInteger();
		TaskStore holding = new DelegatingTaskStore(this.store) {

			@Override
			public List<Boolean> settle(String queue, List<Settlement> settlements) {
				if (calls.incrementAndGet() < 3) {
					throw new PartlySettledException(queue, Collections.nCopies(settlements.size(), null));
				}
				return super.settle(queue, settlements);
			}

		};
		TestListenerContainerRegistry patient = registry(holding, Patience.LIMIT);
		try {
			patient.start();
			patient.register("orders", String.class, (task, context) -> TaskResult.done(), ListenerOptions.defaults());
			schedule("orders", "1", Duration.ZERO, TaskPriority.NORMAL);
			assertThat(patient.step().tasks()).isOne();
			assertThat(calls).hasValue(3);
			assertThat(this.store.find("orders", "1")).isEmpty();
		}
		finally {
			patient.destroy();
		}
	}

	private static ListenerOptions.Builder once() {
		return ListenerOptions.builder().retry(new RetryOptions(1, null, null, null, null, null, null));
	}

	private void steps(int steps) {
		for (int i = 0; i < steps; i++) {
			assertThat(this.registry.step().tasks()).isOne();
		}
	}

	private void register(String queue) {
		this.registry.register(queue, String.class, (task, context) -> {
			this.handled.add(task.id() + " on " + Thread.currentThread().getName());
			return TaskResult.done();
		}, ListenerOptions.defaults());
	}

	private void schedule(String queue, String id, Duration delay, TaskPriority priority) {
		byte[] envelope = this.codec.writeEnvelope(queue, id, new Payload("payload", null), Map.of(), TaskOptions.NONE,
				1_000_000);
		this.store.schedule(queue,
				List.of(new NewTask(id, envelope, DueTime.in(delay), priority, Replacement.REPLACE)));
	}

}
