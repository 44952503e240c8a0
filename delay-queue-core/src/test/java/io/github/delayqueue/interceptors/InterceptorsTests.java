package io.github.delayqueue.interceptors;

import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.listener.DefaultListenerContainerRegistry;
import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.Delivery;
import io.github.delayqueue.listener.ListenerFixture;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.PatientThreads;
import io.github.delayqueue.listener.TaskInterceptor;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Interceptors around handlers.
 */
@Execution(ExecutionMode.CONCURRENT)
class InterceptorsTests {

	private static final String QUEUE = "orders";

	private final InMemoryTaskStore store = new InMemoryTaskStore(Clock.systemUTC());

	@AutoClose
	private final ListenerFixture producer = new ListenerFixture(this.store);

	@AutoClose
	private ListenerFixture instance;

	private final Queue<String> calls = new ConcurrentLinkedQueue<>();

	@Test
	void standAroundTheHandlerOnItsThreadTheFirstOutermost() {
		ThreadLocal<String> tenant = new ThreadLocal<>();
		intercept((deliveries, handler) -> {
			tenant.set("tenant of " + deliveries.get(0).task().id());
			try {
				return handler.handle(deliveries);
			}
			finally {
				tenant.remove();
				this.calls.add("end");
			}
		}, (deliveries, handler) -> {
			this.calls.add("inner");
			return handler.handle(deliveries);
		});
		this.instance.register(QUEUE, (task, context) -> {
			this.calls.add("handler with " + tenant.get());
			return TaskResult.done();
		}, ListenerOptions.defaults());
		this.producer.schedule(QUEUE, "a", "x", Duration.ZERO);
		await().until(() -> this.store.stats(QUEUE).totals().completed() == 1);
		assertThat(this.calls).containsExactly("inner", "handler with tenant of a", "end");
	}

	@Test
	void standAroundABatchOnce() {
		intercept((deliveries, handler) -> {
			this.calls.add("around " + ids(deliveries));
			return handler.handle(deliveries);
		});
		for (String id : List.of("a", "b", "c")) {
			this.producer.schedule(QUEUE, id, "x", Duration.ZERO);
		}
		this.instance.register(QUEUE, ListenerOptions.builder().batchSize(3).build(), (deliveries) -> done(deliveries));
		await().until(() -> this.store.stats(QUEUE).totals().completed() == 3);
		assertThat(this.calls).containsExactly("around [a, b, c]");
	}

	@Test
	void mayAnswerInPlaceOfTheHandler() {
		intercept((deliveries, handler) -> CompletableFuture
			.completedFuture(List.of(TaskResult.deadLetter("tenant is closed"))));
		this.producer.schedule(QUEUE, "a", "x", Duration.ZERO);
		this.instance.register(QUEUE, (task, context) -> {
			this.calls.add("handler");
			return TaskResult.done();
		}, ListenerOptions.defaults());
		await().until(() -> this.store.stats(QUEUE).dead() == 1);
		assertThat(this.instance.failureOf(QUEUE, "a").message()).isEqualTo("tenant is closed");
		assertThat(this.calls).isEmpty();
	}

	@Test
	void exceptionsOfHandlersPassThroughAndTheirOwnAreFailures() {
		intercept((deliveries, handler) -> {
			if (deliveries.get(0).task().id().equals("a")) {
				throw new IllegalStateException("of the interceptor");
			}
			try {
				return handler.handle(deliveries);
			}
			catch (Exception ex) {
				this.calls.add("saw " + ex.getMessage());
				throw ex;
			}
		});
		this.producer.schedule(QUEUE, "a", "x", Duration.ZERO);
		this.producer.schedule(QUEUE, "b", "x", Duration.ZERO);
		this.instance.register(QUEUE, (task, context) -> {
			throw new IllegalStateException("of the handler");
		}, ListenerFixture.attempts(1).build());
		await().until(() -> this.store.stats(QUEUE).dead() == 2);
		assertThat(this.instance.failureOf(QUEUE, "a")).returns("of the interceptor", (failure) -> failure.message())
			.returns(DeadReason.ATTEMPTS_EXHAUSTED, (failure) -> failure.reason());
		assertThat(this.instance.failureOf(QUEUE, "b").message()).isEqualTo("of the handler");
		assertThat(this.calls).containsExactly("saw of the handler");
	}

	@Test
	void thatCannotBeCreatedFailTheStartAndNoAttempt() {
		AtomicBoolean broken = new AtomicBoolean(true);
		DefaultListenerContainerRegistry registry = new DefaultListenerContainerRegistry(this.store,
				this.producer.codec(), TaskEvents.NONE, (queue) -> ListenerFixture.defaults(),
				ListenerFixture.threads(), List.of(new Interceptors(() -> {
					if (broken.get()) {
						throw new IllegalStateException("there are no tenants");
					}
					return List.of();
				})));
		DelayQueueListenerContainer container = registry.register(QUEUE, String.class, (task, context) -> {
			this.calls.add("attempt " + task.attempt());
			return TaskResult.done();
		}, ListenerOptions.defaults());
		this.producer.schedule(QUEUE, "a", "x", Duration.ZERO);
		assertThatIllegalStateException().isThrownBy(registry::start).withMessage("there are no tenants");
		assertThat(registry.isRunning()).isFalse();
		assertThat(container.isRunning()).isFalse();
		broken.set(false);
		registry.start();
		await().until(() -> this.store.stats(QUEUE).totals().completed() == 1);
		assertThat(this.calls).containsExactly("attempt 1");
		registry.destroy();
	}

	private void intercept(TaskInterceptor... interceptors) {
		this.instance = new ListenerFixture(this.store, ListenerFixture.defaults(), new PatientThreads(false),
				List.of(new Interceptors(() -> List.of(interceptors))));
	}

	private static CompletionStage<List<TaskResult>> done(Collection<Delivery<?>> deliveries) {
		return CompletableFuture
			.completedFuture(deliveries.stream().<TaskResult>map((delivery) -> TaskResult.done()).toList());
	}

	private static List<String> ids(List<Delivery<?>> deliveries) {
		return deliveries.stream().map((delivery) -> delivery.task().id()).toList();
	}

}
