package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.run.Consumers;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The trace that an instance leaves while it consumes.
 */
class PresenceTests {

	private static final int LISTENERS = 20;

	private final FaultyTaskStore store = new FaultyTaskStore(new InMemoryTaskStore(Clock.systemUTC()));

	private final ListenerFixture instance = new ListenerFixture(this.store);

	private final AtomicInteger handled = new AtomicInteger();

	@AfterEach
	void close() {
		this.instance.close();
	}

	@Test
	void aTraceNamesAllListenersOfAnInstanceThatRun() {
		for (int i = 0; i < LISTENERS; i++) {
			register("q" + i);
		}
		await().until(() -> consumed() == LISTENERS);
		this.instance.registry().get("q0").stop();
		await().until(() -> consumed() == LISTENERS - 1);
		assertThat(consumers().of("q0")).isZero();
		assertThat(this.store.attendance().orElseThrow()).hasSize(1);
	}

	@Test
	void aTraceThatCannotBeLeftHurtsNoTask() {
		this.store.fail(Step.ATTEND);
		register("q");
		for (int i = 1; i <= 5; i++) {
			this.instance.schedule("q", "task-" + i, "payload", Duration.ZERO);
			int expected = i;
			await().until(() -> this.handled.get() == expected);
		}
		await().until(() -> this.store.calls(Step.ATTEND) > 0);
		this.store.heal();
		register("q1");
		await().until(() -> consumed() == 2);
	}

	@Test
	void aTraceThatTakesForEverHurtsNoTask() {
		Gate gate = new Gate();
		this.store.before(Step.ATTEND, gate::passUninterrupted);
		register("q");
		await().until(() -> gate.entered() == 1);
		for (int i = 1; i <= 5; i++) {
			this.instance.schedule("q", "task-" + i, "payload", Duration.ZERO);
			int expected = i;
			await().until(() -> this.handled.get() == expected);
		}
		gate.open();
	}

	private void register(String queue) {
		this.instance.register(queue, (task, context) -> {
			this.handled.incrementAndGet();
			return TaskResult.done();
		}, ListenerOptions.builder().id(queue).build());
	}

	private int consumed() {
		int consumed = 0;
		for (int i = 0; i < LISTENERS; i++) {
			consumed += (Integer.valueOf(1).equals(consumers().of("q" + i))) ? 1 : 0;
		}
		return consumed + (Integer.valueOf(1).equals(consumers().of("q")) ? 1 : 0);
	}

	private Consumers consumers() {
		return Consumers.read(this.store).orElseThrow();
	}

}
