package io.github.delayqueue.fleet;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.Codecs;
import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.fleet.InstanceTrace.Consumer;
import io.github.delayqueue.listener.ConsumerPart;
import io.github.delayqueue.listener.ContainerThreads;
import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.Gate;
import io.github.delayqueue.listener.ListenerFixture;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.ManualThreads;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link InstanceBeats}: what an instance says of itself.
 */
@Execution(ExecutionMode.CONCURRENT)
class InstanceBeatsTests {

	private static final String QUEUE = "q";

	private final FaultyTaskStore store = new FaultyTaskStore(new InMemoryTaskStore(Clock.systemUTC()));

	private final ListenerFixture instance = Instances.open(this.store);

	private final Gate gate = new Gate();

	@AfterEach
	void close() {
		this.gate.open();
		this.instance.close();
	}

	@Test
	void instanceWhoseListenersAreStoppedIsThereAndSaysSoonThatTheyRun() {
		DelayQueueListenerContainer container = register(false);
		await().until(() -> !listeners().isEmpty());
		assertThat(trace().application()).isEqualTo("shop");
		assertThat(listeners().get(0).running()).isFalse();
		assertThat(consumers().of(QUEUE)).isZero();
		container.start();
		await().until(() -> Integer.valueOf(1).equals(consumers().of(QUEUE)));
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
		ContainerThreads threads = ListenerFixture.threads();
		for (boolean taken = true; taken;) {
			taken = threads.beside(this.gate::passUninterrupted);
		}
		try (ListenerFixture busy = new ListenerFixture(this.store, ListenerFixture.defaults(), threads,
				List.of(new Fleet("shop", "", Fleet.INSTANCE_TIMEOUT)))) {
			busy.register(QUEUE, (task, context) -> TaskResult.done(), ListenerOptions.builder().id(QUEUE).build());
			await().until(() -> Integer.valueOf(1).equals(consumers().of(QUEUE)));
			busy.registry().stop();
			await().until(() -> trace().ended());
			this.gate.open();
		}
	}

	@Test
	void instanceWithoutARunningListenerLeavesItsTraceNoMoreOftenThanOthersAlsoAfterAnError() {
		AtomicLong now = new AtomicLong();
		AtomicBoolean fails = new AtomicBoolean(true);
		ManualThreads threads = new ManualThreads();
		InstanceBeats beats = new InstanceBeats(new Presence(this.store, now::get, "", ""),
				new ConsumerPart.Scope(this.store, Codecs.create(), TaskEvents.NONE, threads, () -> {
					if (fails.getAndSet(false)) {
						throw new NoClassDefFoundError("for a test");
					}
					return List.of();
				}));
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
