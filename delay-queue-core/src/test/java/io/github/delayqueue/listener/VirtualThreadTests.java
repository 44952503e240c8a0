package io.github.delayqueue.listener;

import java.lang.reflect.Method;
import java.time.Clock;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Handlers on virtual threads, where the JDK has them. What is compiled for Java 17 asks
 * by reflection.
 */
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadTests {

	private static final String QUEUE = "orders";

	private final InMemoryTaskStore store = new InMemoryTaskStore(Clock.systemUTC());

	private final ListenerFixture instance = new ListenerFixture(this.store, ListenerFixture.defaults(), true);

	private final Gate gate = new Gate();

	@AfterEach
	void close() {
		this.gate.open();
		this.instance.close();
	}

	@Test
	void runsHandlersOnVirtualThreadsNamedAfterTheListener() {
		Queue<Thread> threads = new ConcurrentLinkedQueue<>();
		this.instance.register(QUEUE, (task, context) -> {
			threads.add(Thread.currentThread());
			return TaskResult.done();
		}, ListenerOptions.defaults());
		schedule(100);
		await().until(() -> this.store.stats(QUEUE).totals().completed() == 100);
		assertThat(threads).hasSize(100).allMatch(VirtualThreadTests::isVirtual);
		assertThat(threads).allMatch((thread) -> thread.getName().startsWith("delay-queue-orders-"));
	}

	/** Which keep no application alive: a platform thread does that. */
	@Test
	void timersAndClaimsAreOnVirtualThreadsAndAnApplicationWithoutOthersGoesOn() {
		Queue<Thread> threads = new ConcurrentLinkedQueue<>();
		FaultyTaskStore store = new FaultyTaskStore(this.store);
		store.before(Step.CLAIM, () -> threads.add(Thread.currentThread()));
		try (ListenerFixture virtual = new ListenerFixture(store, ListenerFixture.defaults(), true)) {
			virtual.register("others", (task, context) -> TaskResult.done(), ListenerOptions.defaults());
			await().until(() -> threads.size() > 1);
			assertThat(threads).allMatch(VirtualThreadTests::isVirtual)
				.allMatch((thread) -> thread.getName().startsWith("delay-queue-"));
			await().until(() -> Thread.getAllStackTraces()
				.keySet()
				.stream()
				.anyMatch((thread) -> thread.getName().startsWith("delay-queue-watch-") && !thread.isDaemon()));
		}
	}

	@Test
	void runsHandlersOnPlatformThreadsUnlessToldOtherwise() {
		Queue<Thread> threads = new ConcurrentLinkedQueue<>();
		try (ListenerFixture platform = new ListenerFixture(this.store)) {
			platform.register(QUEUE, (task, context) -> {
				threads.add(Thread.currentThread());
				return TaskResult.done();
			}, ListenerOptions.defaults());
			schedule(1);
			await().until(() -> !threads.isEmpty());
			assertThat(threads).noneMatch(VirtualThreadTests::isVirtual);
		}
	}

	@Test
	void keepsTheConcurrency() {
		this.instance.register(QUEUE, (task, context) -> this.gate.pass(),
				ListenerOptions.builder().concurrency(200).build());
		schedule(300);
		await().until(() -> this.gate.waiting() == 200);
		await().during(Duration.ofMillis(300)).until(() -> this.gate.waiting() == 200);
		this.gate.open();
		await().until(() -> this.store.stats(QUEUE).totals().completed() == 300);
		assertThat(this.gate.entered()).isEqualTo(300);
	}

	@Test
	void interruptsAHandlerThatTakesTooLong() {
		this.instance.register(QUEUE, (task, context) -> this.gate.pass(),
				ListenerFixture.attempts(1).handlerTimeout(Duration.ofMillis(100)).build());
		schedule(1);
		await().until(() -> this.store.stats(QUEUE).dead() == 1);
		assertThat(this.gate.waiting()).isZero();
	}

	private void schedule(int tasks) {
		for (int i = 0; i < tasks; i++) {
			this.instance.schedule(QUEUE, "task-" + i, "payload", Duration.ZERO);
		}
	}

	private static boolean isVirtual(Thread thread) {
		try {
			Method isVirtual = Thread.class.getMethod("isVirtual");
			return (boolean) isVirtual.invoke(thread);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
