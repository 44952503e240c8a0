package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.support.GenericApplicationContext;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.convert.Payload;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.Codecs;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The registry as a bean of a context that is started, paused, stopped and closed.
 */
@Execution(ExecutionMode.CONCURRENT)
class ContextLifecycleTests {

	private static final String QUEUE = "orders";

	private static final Duration SHUTDOWN_TIMEOUT = Patience.LIMIT.multipliedBy(2);

	private final InMemoryTaskStore store = new InMemoryTaskStore(Clock.systemUTC());

	private final TaskCodec codec = Codecs.create();

	private final Queue<String> handled = new ConcurrentLinkedQueue<>();

	private final Gate gate = new Gate();

	private final GenericApplicationContext context = new GenericApplicationContext();

	@BeforeEach
	void open() {
		this.context.registerBean(DefaultListenerContainerRegistry.class,
				() -> new DefaultListenerContainerRegistry(this.store, this.codec, TaskEvents.NONE,
						(queue) -> ListenerFixture.defaults(), ListenerFixture.threads(), List.of()));
		this.context.refresh();
		registry().register(QUEUE, String.class, (task, context) -> {
			if ("slow".equals(task.payload())) {
				this.gate.pass();
			}
			if ("close".equals(task.payload()) || "close and fail".equals(task.payload())) {
				this.context.close();
			}
			if ("stop".equals(task.payload())) {
				this.context.stop();
			}
			if ("close and fail".equals(task.payload())) {
				throw new IllegalStateException("for a test");
			}
			this.handled.add(task.id());
			return TaskResult.done();
		}, ListenerOptions.builder().concurrency(2).shutdownTimeout(SHUTDOWN_TIMEOUT).build());
	}

	@AfterEach
	void close() {
		this.gate.open();
		this.context.close();
	}

	@Test
	void consumesAgainAfterTheContextWasStoppedAndStarted() {
		for (int i = 0; i < 2; i++) {
			this.context.stop();
			assertThat(registry().isRunning()).isFalse();
			assertNotConsumed("stopped-" + i);
			this.context.start();
			await().until(() -> this.handled.contains("stopped-0"));
		}
		await().until(() -> this.handled.contains("stopped-1"));
	}

	@Test
	void consumesAgainAfterTheContextWasPausedAndRestarted() {
		for (int i = 0; i < 2; i++) {
			this.context.pause();
			assertNotConsumed("paused-" + i);
			this.context.restart();
			await().until(() -> this.handled.contains("paused-0"));
		}
		await().until(() -> this.handled.contains("paused-1"));
	}

	/** The handler would wait for itself until its shutdown-timeout were over. */
	@ParameterizedTest
	@ValueSource(strings = { "close", "close and fail" })
	void handlerThatClosesTheContextHasDoneItsTask(String payload) {
		schedule("closing", payload);
		await().until(() -> !this.context.isActive());
		await().until(() -> this.store.stats(QUEUE).totals().completed() == 1);
		assertThat(this.store.stats(QUEUE).inFlight()).isZero();
		await().until(() -> "close and fail".equals(payload) || this.handled.contains("closing"));
	}

	@Test
	void handlerThatClosesTheContextWaitsForOthers() {
		schedule("task", "slow");
		await().until(() -> this.gate.waiting() == 1);
		schedule("closing", "close");
		await().until(() -> !registryIsRunning());
		await().during(Duration.ofMillis(200)).until(() -> this.handled.isEmpty());
		this.gate.open();
		await().until(() -> this.handled.containsAll(List.of("task", "closing")));
		assertThat(this.store.stats(QUEUE).totals().completed()).isEqualTo(2);
	}

	/** Its outcome is what it says, because the context can go on. */
	@Test
	void handlerThatStopsTheContextDoesNotWaitForItself() {
		schedule("stopping", "stop");
		await().until(() -> this.handled.contains("stopping"));
		await().until(() -> this.store.stats(QUEUE).totals().completed() == 1);
	}

	private DefaultListenerContainerRegistry registry() {
		return this.context.getBean(DefaultListenerContainerRegistry.class);
	}

	private boolean registryIsRunning() {
		return this.context.isActive() && registry().isRunning();
	}

	private void assertNotConsumed(String taskId) {
		schedule(taskId, "payload");
		await().during(Duration.ofMillis(300)).until(() -> !this.handled.contains(taskId));
	}

	private void schedule(String taskId, String payload) {
		byte[] envelope = this.codec.writeEnvelope(QUEUE, taskId, new Payload(payload, null), Map.of(),
				TaskOptions.NONE, 1000);
		this.store.schedule(QUEUE, List
			.of(new NewTask(taskId, envelope, DueTime.in(Duration.ZERO), TaskPriority.NORMAL, Replacement.REPLACE)));
	}

}
