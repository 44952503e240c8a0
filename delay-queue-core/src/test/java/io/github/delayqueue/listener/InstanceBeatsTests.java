package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.run.Consumers;
import io.github.delayqueue.run.InstanceOrder;
import io.github.delayqueue.run.InstanceTrace;
import io.github.delayqueue.run.InstanceTrace.Consumer;
import io.github.delayqueue.run.Presence;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link InstanceBeats}: what an instance says of itself, and the orders of
 * others.
 */
@Execution(ExecutionMode.CONCURRENT)
class InstanceBeatsTests {

	private static final String QUEUE = "q";

	private final FaultyTaskStore store = new FaultyTaskStore(new InMemoryTaskStore(Clock.systemUTC()));

	private final ListenerFixture instance = new ListenerFixture(this.store);

	private final Gate gate = new Gate();

	@BeforeEach
	void describe() {
		this.instance.registry().setInstance("shop", true);
	}

	@AfterEach
	void close() {
		this.gate.open();
		this.instance.close();
	}

	@Test
	void instanceWhoseListenersAreStoppedIsThereAndStartsThemAtAnOrder() {
		DelayQueueListenerContainer container = register(false);
		await().until(() -> !listeners().isEmpty());
		assertThat(trace().application()).isEqualTo("shop");
		assertThat(listeners().get(0).running()).isFalse();
		assertThat(consumers().of(QUEUE)).isZero();
		order(null, QUEUE, true);
		nextTraceIsNotFarAway();
		await().until(() -> Integer.valueOf(1).equals(consumers().of(QUEUE)));
		assertThat(container.isRunning()).isTrue();
	}

	@Test
	void listenerStopsAtAnOrderThoughItsHandlerGoesOn() {
		DelayQueueListenerContainer container = register(true);
		this.instance.schedule(QUEUE, "task", "payload", Duration.ZERO);
		await().until(() -> this.gate.entered() == 1);
		await().until(() -> !listeners().isEmpty());
		order(QUEUE, QUEUE, false);
		await().until(() -> !listeners().get(0).running());
		assertThat(listeners().get(0).active()).isEqualTo(1);
		assertThat(container.isRunning()).isFalse();
		this.gate.open();
		await().until(() -> this.store.stats(QUEUE).totals().completed() == 1);
		await().until(() -> Integer.valueOf(0).equals(listeners().get(0).active()));
	}

	@Test
	void ordersOfOneReplyAreCarriedOutInTheirOrderAndOnce() {
		DelayQueueListenerContainer container = register(true);
		await().until(() -> !listeners().isEmpty());
		order(null, QUEUE, false);
		order(null, QUEUE, true);
		int before = this.store.calls(Step.ATTEND);
		await().until(() -> {
			this.store.order("nobody", QUEUE, "");
			return this.store.calls(Step.ATTEND) >= before + 2;
		});
		await().until(() -> Thread.getAllStackTraces()
			.keySet()
			.stream()
			.noneMatch((thread) -> thread.getName().equals("delay-queue-stop-" + QUEUE)));
		assertThat(container.isRunning()).isTrue();
	}

	@Test
	void instanceThatTakesNoOrdersSaysSo() {
		this.instance.registry().setInstance("", false);
		DelayQueueListenerContainer container = register(true);
		await().until(() -> Integer.valueOf(1).equals(consumers().of(QUEUE)));
		assertThat(trace().obeys()).isFalse();
		int before = this.store.calls(Step.ATTEND);
		await().until(() -> {
			order(QUEUE, QUEUE, false);
			return this.store.calls(Step.ATTEND) >= before + 2;
		});
		assertThat(container.isRunning()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "no JSON", "[]", "7", "null", "{}", "{\"listener\":\"q\",\"do\":\"explode\"}",
			"{\"listener\":7,\"do\":\"stop\"}", "{\"listener\":\"other\",\"do\":\"stop\"}" })
	void otherOrdersDoNothing(String order) {
		DelayQueueListenerContainer container = register(true);
		DelayQueueListenerContainer witness = this.instance.registry()
			.register("witness", String.class, (task, context) -> TaskResult.done(),
					ListenerOptions.builder().id("witness").build());
		await().until(() -> listeners().size() == 2);
		this.store.order(this.instance.registry().getInstance(), null, order);
		order(QUEUE, "witness", false);
		await().until(() -> !witness.isRunning());
		assertThat(container.isRunning()).isTrue();
	}

	@Test
	void lastWordIsSaidAtAStopAndNothingAfterItUntilTheNextStart() {
		register(true);
		await().until(() -> Integer.valueOf(1).equals(consumers().of(QUEUE)));
		this.instance.registry().stop();
		await().until(() -> trace().ended());
		assertThat(consumers().of(QUEUE)).isZero();
		assertThat(consumers().lastOf(QUEUE)).isNotNull()
			.extracting(Consumers.Last::end)
			.isEqualTo(Consumers.Last.End.SHUTDOWN);
		this.instance.registry().start();
		await().until(() -> Integer.valueOf(1).equals(consumers().of(QUEUE)));
	}

	@Test
	void stoppingDoesNotWaitForALastWordThatCannotBeSaid() {
		register(true);
		await().until(() -> Integer.valueOf(1).equals(consumers().of(QUEUE)));
		Gate away = new Gate();
		this.store.before(Step.ATTEND, away::passUninterrupted);
		this.instance.registry().stop();
		assertThat(this.instance.registry().isRunning()).isFalse();
		await().until(() -> away.entered() == 1);
		away.open();
	}

	@Test
	void traceAndLastWordWaitForNoWork() {
		PooledThreads threads = new PooledThreads(ListenerFixture.scheduler(), false);
		for (boolean taken = true; taken;) {
			taken = threads.beside(this.gate::passUninterrupted);
		}
		try (ListenerFixture busy = new ListenerFixture(this.store, ListenerFixture.defaults(), threads)) {
			busy.register(QUEUE, (task, context) -> TaskResult.done(), ListenerOptions.builder().id(QUEUE).build());
			await().until(() -> Integer.valueOf(1).equals(consumers().of(QUEUE)));
			busy.registry().stop();
			await().until(() -> trace().ended());
			this.gate.open();
		}
	}

	@Test
	void orderThatComesWhileTheRegistryStopsStartsNothing() {
		DefaultListenerContainer container = (DefaultListenerContainer) register(true);
		this.instance.registry().stop();
		this.instance.registry().startUnlessStopped(container);
		assertThat(container.isRunning()).isFalse();
		this.instance.registry().start();
		assertThat(container.isRunning()).isTrue();
	}

	@Test
	void instanceWithoutARunningListenerLeavesItsTraceNoMoreOftenThanOthersAlsoAfterAnError() {
		AtomicLong now = new AtomicLong();
		AtomicBoolean fails = new AtomicBoolean(true);
		ManualThreads threads = new ManualThreads();
		InstanceBeats beats = new InstanceBeats(new Presence(this.store, now::get), threads, () -> {
			if (fails.getAndSet(false)) {
				throw new NoClassDefFoundError("for a test");
			}
			return List.of();
		}, (container) -> {
		});
		beats.begin();
		assertThatExceptionOfType(NoClassDefFoundError.class).isThrownBy(() -> threads.watch.last().fire());
		for (int i = 0; i < 20; i++) {
			now.addAndGet(Duration.ofSeconds(1).toNanos());
			threads.watch.last().fire();
		}
		assertThat(this.store.calls(Step.ATTEND)).isEqualTo(2);
	}

	private DelayQueueListenerContainer register(boolean started) {
		return this.instance.register(QUEUE, (task, context) -> {
			this.gate.passUninterrupted();
			return TaskResult.done();
		}, ListenerOptions.builder().id(QUEUE).autoStartup(started).build());
	}

	/** Nothing runs afterwards either. */
	private void nextTraceIsNotFarAway() {
		DelayQueueListenerContainer another = this.instance.registry()
			.register("another", String.class, (task, context) -> TaskResult.done(),
					ListenerOptions.builder().autoStartup(false).build());
		another.start();
		another.stop();
	}

	private void order(String queue, String listener, boolean start) {
		this.store.order(this.instance.registry().getInstance(), queue, new InstanceOrder(listener, start).write());
	}

	private InstanceTrace trace() {
		return consumers().instances().get(0).trace();
	}

	private List<Consumer> listeners() {
		return consumers().instances().stream().flatMap((each) -> each.trace().consumers().stream()).toList();
	}

	private Consumers consumers() {
		return Consumers.read(this.store).orElseThrow();
	}

}
