package io.github.delayqueue.deadletter;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.Codecs;
import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.listener.ConsumerPart;
import io.github.delayqueue.listener.DelayQueueListenerEndpoint;
import io.github.delayqueue.listener.ListenerFixture;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.ManualThreads;
import io.github.delayqueue.listener.ManualTimer;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Dead letters in memory.
 */
@Execution(ExecutionMode.CONCURRENT)
class DeadLetterTests extends AbstractDeadLetterTests {

	@Override
	protected TaskStore store() {
		return new InMemoryTaskStore(Clock.systemUTC());
	}

	/** Nobody polls. */
	@Test
	void deathAtTheVeryEndOfAMoveIsMovedToo() {
		FaultyTaskStore store = new FaultyTaskStore(new InMemoryTaskStore(Clock.systemUTC()));
		store.fail(Step.LIST);
		ManualThreads threads = new ManualThreads(new ManualTimer(), (calls) -> {
			calls.run();
			return true;
		});
		AtomicReference<DeadLetterMover> mover = new AtomicReference<>();
		AtomicBoolean died = new AtomicBoolean();
		mover.set(new DeadLetterMover("orders", "letters", ListenerFixture.defaults(),
				new ConsumerPart.Scope(store, Codecs.create(), TaskEvents.NONE, threads, List::of), () -> {
					// asked once more where a move has failed
					if (store.calls(Step.LIST) == 1 && died.compareAndSet(false, true)) {
						store.heal();
						mover.get().died("orders");
					}
					return true;
				}));
		mover.get().move();
		assertThat(died).isTrue();
		assertThat(store.calls(Step.LIST)).isEqualTo(2);
	}

	/** A server without replicas would be waited for. */
	@Test
	void tooFewReplicasLeaveTheDeadTaskWhereItIs() {
		FaultyTaskStore store = new FaultyTaskStore(new InMemoryTaskStore(Clock.systemUTC()));
		store.replicas(0, 1);
		QueueOptions settings = ListenerFixture.settings(Duration.ofMillis(50), KEPT, null);
		AtomicInteger handled = new AtomicInteger();
		try (ListenerFixture application = open(store, settings)) {
			application.register("orders", (task, context) -> TaskResult.deadLetter("nobody wants it"),
					ListenerOptions.defaults());
			application.registry()
				.register(DelayQueueListenerEndpoint.ofDeadLetters("letters", "orders", String.class, (letters) -> {
					handled.incrementAndGet();
					return CompletableFuture.completedFuture(List.of(TaskResult.done()));
				}, ListenerOptions.defaults(), "a handler of a test"));
			application.schedule("orders", "a", "payload", Duration.ZERO);
			await().until(() -> handled.get() > 0);
			int schedules = store.calls(Step.SCHEDULE);
			await().until(() -> store.calls(Step.SCHEDULE) > schedules + 2);
			assertThat(QueueView.of(store).stats("orders").dead()).isOne();
			store.replicas(1, 1);
			await().until(() -> QueueView.of(store).stats("orders").dead() == 0);
			assertThat(handled).hasValue(1);
		}
	}

}
