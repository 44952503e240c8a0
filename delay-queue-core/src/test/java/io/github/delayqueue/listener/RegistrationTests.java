package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What can be registered with the registry, and when.
 */
class RegistrationTests {

	private static final String QUEUE = "orders";

	private static final TaskHandler<String> NOTHING = (task, context) -> TaskResult.done();

	private final InMemoryTaskStore store = new InMemoryTaskStore(Clock.systemUTC());

	@AutoClose
	private final ListenerFixture instance = new ListenerFixture(this.store);

	private final DefaultListenerContainerRegistry registry = this.instance.registry();

	@Test
	void listenersOfAQueueAreStoppedAndStartedTogether() {
		ListenerOptions off = ListenerOptions.builder().autoStartup(false).build();
		List<DelayQueueListenerContainer> listeners = List.of(
				this.instance.register(QUEUE, NOTHING, ListenerOptions.defaults()),
				this.instance.register(QUEUE, NOTHING, off),
				this.instance.register("coupons", NOTHING, ListenerOptions.defaults()));
		assertThat(this.registry.getContainers(QUEUE)).isEqualTo(listeners.subList(0, 2));
		this.registry.startConsuming(QUEUE);
		assertThat(listeners).allMatch(DelayQueueListenerContainer::isRunning);
		this.registry.stopConsuming(QUEUE);
		assertThat(listeners).extracting(DelayQueueListenerContainer::isRunning).containsExactly(false, false, true);
		this.registry.startConsuming(QUEUE);
		assertThat(listeners).allMatch(DelayQueueListenerContainer::isRunning);
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> this.registry.stopConsuming("misspelt"))
			.withMessage("Queue 'misspelt' has no listener in this instance, but [coupons, orders]");
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> this.registry.startConsuming("misspelt"));
	}

	@Test
	void noListenerOfAQueueClaimsAnyMoreWhileAHandlerEnds() throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		TaskHandler<String> handler = (task, context) -> {
			begun.countDown();
			end.await();
			return TaskResult.done();
		};
		List<DelayQueueListenerContainer> listeners = Stream
			.generate(() -> this.instance.register(QUEUE, handler, ListenerOptions.defaults()))
			.limit(2)
			.toList();
		this.instance.schedule(QUEUE, "a", "a", Duration.ZERO);
		begun.await();
		Thread stopping = new Thread(() -> this.registry.stopConsuming(QUEUE));
		stopping.start();
		await().until(() -> listeners.stream().noneMatch(DelayQueueListenerContainer::isRunning));
		assertThat(stopping.isAlive()).as("waits for the handler").isTrue();
		end.countDown();
		stopping.join();
	}

	@Test
	void startsAListenerThatIsRegisteredBeforeTheRegistryRunsWithTheRegistry() {
		this.registry.stop();
		DelayQueueListenerContainer container = this.instance.register(QUEUE, NOTHING, ListenerOptions.defaults());
		assertThat(container.isRunning()).isFalse();
		this.registry.start();
		assertThat(container.isRunning()).isTrue();
	}

	@Test
	void consumesOneQueueWithSeveralListenersAndSeveralQueuesAtATime() {
		Map<String, String> handled = new ConcurrentHashMap<>();
		for (String queue : List.of(QUEUE, QUEUE, "coupons")) {
			this.instance.register(queue, (task, context) -> {
				handled.put(task.id(), task.queue());
				return TaskResult.done();
			}, ListenerOptions.defaults());
		}
		assertThat(this.registry.getContainers()).extracting(DelayQueueListenerContainer::getId)
			.containsExactly(QUEUE, QUEUE + "#2", "coupons");
		this.instance.schedule(QUEUE, "order", "payload", Duration.ZERO);
		this.instance.schedule("coupons", "coupon", "payload", Duration.ZERO);
		await().until(() -> handled.size() == 2);
		assertThat(handled).containsEntry("order", QUEUE).containsEntry("coupon", "coupons");
	}

	@Test
	void refusesASecondListenerOfTheSameId() {
		registerEndpoint("same", String.class, ListenerOptions.defaults(), "first()");
		refuse(() -> registerEndpoint("same", String.class, ListenerOptions.defaults(), "second()"),
				"Two listeners have the id 'same': first() and second()", "another id");
	}

	@Test
	void refusesABatchSizeForAHandlerOfSingleTasks() {
		refuse(() -> this.instance.register(QUEUE, NOTHING, ListenerOptions.builder().batchSize(10).build()),
				"Listener 'orders' of queue 'orders' has a batch size but takes single tasks", "DeliveryHandler");
	}

	@Test
	void saysWhichListenersThereAreWhenOneIsNotFound() {
		this.instance.register(QUEUE, NOTHING, ListenerOptions.defaults());
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> this.registry.get("other"))
			.withMessage("There is no listener with id 'other', but [orders]");
	}

	private void registerEndpoint(String id, Class<?> payloadType, ListenerOptions options, String description) {
		this.registry.register(endpoint(id, payloadType, options, description));
	}

	private static DelayQueueListenerEndpoint endpoint(String id, Class<?> payloadType, ListenerOptions options,
			String description) {
		return new DelayQueueListenerEndpoint(id, QUEUE, payloadType,
				(deliveries) -> CompletableFuture.completedFuture(List.of(TaskResult.done())), options, description);
	}

	private static void refuse(ThrowingCallable registration, String message, String action) {
		assertThatExceptionOfType(InvalidListenerException.class).isThrownBy(registration).satisfies((ex) -> {
			assertThat(ex.getMessage()).contains(message);
			assertThat(ex.getAction()).contains(action);
		});
	}

}
