package io.github.delayqueue.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.messaging.handler.annotation.Header;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.TaskInterceptor;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.producer.ClaimedTask;
import io.github.delayqueue.producer.DelayQueue;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.ScheduleResult;
import io.github.delayqueue.producer.TaskDetails;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.testsupport.Patience;
import io.github.delayqueue.testsupport.TestRedis;
import io.github.delayqueue.testsupport.TestRedisConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An application as a user writes it, on a real Redis: annotated methods, the template,
 * and what is found in Redis.
 */
@SpringBootTest(properties = { "delay-queue.key-prefix=app:", "delay-queue.completed.retention=1h",
		"delay-queue.queues.webhook.retry.delays=10ms,20ms,30ms", "delay-queue.queues.spread.partitions=3" })
class DelayQueueApplicationIntegrationTests {

	@Autowired
	private DelayQueueOperations delayQueue;

	@Autowired
	private DelayQueueListenerContainerRegistry registry;

	@Autowired
	private Handlers handlers;

	@Autowired
	private ConfigurableApplicationContext context;

	private final String id = UUID.randomUUID().toString();

	@Test
	void deliversPayloadHeadersAndIdOnceTheDelayIsOver() {
		Instant before = Instant.now();
		whilePaused("order_timeout", () -> {
			this.delayQueue.schedule(TaskRequest.queue("order_timeout")
				.id(this.id)
				.payload(new Order(this.id, List.of("book")))
				.header("tenant", "a")
				.delay(Duration.ofMillis(300))
				.build());
			assertThat(this.delayQueue.find("order_timeout", this.id)).get()
				.returns(TaskState.SCHEDULED, TaskDetails::state)
				.returns("{\"number\":\"" + this.id + "\",\"items\":[\"book\"]}", TaskDetails::payloadJson);
		});
		await().until(() -> this.handlers.closed.contains(new Order(this.id, List.of("book")) + " of a"));
		assertThat(Instant.now()).isAfter(before.plusMillis(299));
		assertThat(this.handlers.around).filteredOn((call) -> call.endsWith(this.id))
			.containsExactly("outer of " + this.id, "inner of " + this.id);
		await().untilAsserted(() -> assertThat(this.delayQueue.find("order_timeout", this.id)).get()
			.returns(TaskState.COMPLETED, TaskDetails::state));
	}

	@Test
	void cancelledTaskIsNotDelivered() {
		String other = this.id + "-later";
		whilePaused("order_timeout", () -> {
			this.delayQueue.schedule("order_timeout", this.id, new Order(this.id, List.of()), Duration.ofSeconds(2));
			assertThat(this.delayQueue.cancel("order_timeout", this.id)).isTrue();
			assertThat(this.delayQueue.find("order_timeout", this.id)).isEmpty();
			this.delayQueue.schedule("order_timeout", other, new Order(other, List.of()), Duration.ofMillis(2100));
		});
		await().until(() -> this.handlers.closed.stream().anyMatch((order) -> order.contains(other)));
		assertThat(this.handlers.closed).noneMatch((order) -> order.contains(this.id + ","));
	}

	@Test
	void queueOfATypeSchedulesReschedulesAndFinds() {
		DelayQueue<Order> timeouts = this.delayQueue.queue("order_timeout", Order.class);
		assertThat(timeouts.schedule(this.id, new Order(this.id, List.of("pen")), Duration.ofHours(1)).isAccepted())
			.isTrue();
		assertThat(timeouts.reschedule(this.id, Duration.ZERO)).isTrue();
		await().until(() -> this.handlers.closed.stream().anyMatch((order) -> order.contains(this.id)));
		// can be cancelled until that is settled
		await().untilAsserted(
				() -> assertThat(timeouts.find(this.id)).get().returns(TaskState.COMPLETED, TaskDetails::state));
		assertThat(timeouts.cancel(this.id)).isFalse();
	}

	@Test
	void tasksOfPartitionsAreCancelledRedrivenAndDeletedInNumbers() {
		List<String> ids = IntStream.range(0, 40).mapToObj((i) -> "task-" + i).toList();
		ids.forEach((id) -> this.delayQueue.schedule("spread", id, id, Duration.ofHours(1)));
		assertThat(this.delayQueue.queues()).contains("spread");
		assertThat(this.delayQueue.cancelAll("spread", ids.subList(0, 10))).isEqualTo(ids.subList(0, 10));
		ids.subList(10, 40).forEach((id) -> this.delayQueue.reschedule("spread", id, Duration.ZERO));
		List<ClaimedTask> claimed = this.delayQueue.poll("spread", 100, Duration.ofMinutes(1));
		assertThat(claimed).hasSize(30);
		claimed.get(0).complete();
		claimed.subList(1, 30).forEach((task) -> task.deadLetter("for a test"));
		assertThat(this.delayQueue.redrive("spread", DeadReason.EXPIRED, 100)).isZero();
		assertThat(this.delayQueue.redrive("spread", DeadReason.BURIED, 9)).isEqualTo(9);
		String dead = this.delayQueue.list("spread", TaskState.DEAD, 0, 1).get(0).id();
		assertThat(this.delayQueue.delete("spread", dead)).isTrue();
		assertThat(this.delayQueue.delete("spread", dead)).isFalse();
		assertThat(this.delayQueue.delete("spread", claimed.get(0).id())).as("completed").isTrue();
		assertThat(this.delayQueue.purge("spread", DeadReason.BURIED, 100)).isEqualTo(19);
		assertThat(this.delayQueue.stats("spread")).returns(9L, QueueStats::scheduled)
			.returns(0L, QueueStats::dead)
			.returns(0L, QueueStats::completed);
	}

	@Test
	void climbsTheLadderDiesAndIsRedriven() {
		this.delayQueue.schedule("webhook", this.id, "fail", Duration.ZERO);
		await().untilAsserted(() -> assertThat(this.delayQueue.find("webhook", this.id)).get()
			.returns(TaskState.DEAD, TaskDetails::state)
			.returns(4, TaskDetails::failures)
			.satisfies((task) -> assertThat(task.lastFailure()).isNotNull()
				.returns(DeadReason.ATTEMPTS_EXHAUSTED, (failure) -> failure.reason())
				.returns("no answer", (failure) -> failure.message())));
		assertThat(this.handlers.attempts.get(this.id)).hasValue(4);
		assertThat(TestRedis.cli("HGET", "app:{webhook}:errors", this.id).toString()).contains("no answer");
		this.handlers.answering = true;
		assertThat(this.delayQueue.redrive("webhook", this.id)).isTrue();
		await().untilAsserted(() -> assertThat(this.delayQueue.find("webhook", this.id)).get()
			.returns(TaskState.COMPLETED, TaskDetails::state));
	}

	@Test
	void schedulesInBulkAsynchronouslyAndWithoutDuplicates() {
		List<TaskRequest> requests = IntStream.range(0, 1200)
			.mapToObj((i) -> TaskRequest.queue("bulk").payload(i).delay(Duration.ofHours(1)).build())
			.toList();
		assertThat(this.delayQueue.scheduleAll(requests)).hasSize(1200).allMatch(ScheduleResult::isAccepted);
		assertThat(this.delayQueue.scheduleAsync(requests.get(0))).succeedsWithin(Patience.LIMIT)
			.returns(ScheduleOutcome.CREATED, ScheduleResult::outcome);
		TaskRequest once = TaskRequest.queue("bulk")
			.id(this.id)
			.delay(Duration.ofHours(1))
			.onDuplicate(DuplicatePolicy.REJECT)
			.build();
		assertThat(this.delayQueue.schedule(once).outcome()).isEqualTo(ScheduleOutcome.CREATED);
		assertThat(this.delayQueue.schedule(once).outcome()).isEqualTo(ScheduleOutcome.REJECTED);
		assertThat(this.delayQueue.stats("bulk").scheduled()).isEqualTo(1202);
		assertThat(this.delayQueue.list("bulk", TaskState.SCHEDULED, 1000, 500)).hasSize(202);
		assertThat(this.delayQueue.clear("bulk")).isEqualTo(1202);
	}

	@Test
	void pollsByHand() {
		this.delayQueue.schedule("by_hand", "done", Map.of("a", 1), Duration.ZERO);
		this.delayQueue.schedule("by_hand", "bad", Map.of("b", 2), Duration.ZERO);
		Map<String, ClaimedTask> tasks = this.delayQueue.poll("by_hand", 10, Duration.ofSeconds(30))
			.stream()
			.collect(Collectors.toMap(ClaimedTask::id, (task) -> task));
		assertThat(tasks.get("done").complete()).isTrue();
		assertThat(tasks.get("done").complete()).isFalse();
		assertThat(tasks.get("bad").deadLetter("no use")).isTrue();
		QueueStats stats = this.delayQueue.stats("by_hand");
		assertThat(stats.dead()).isEqualTo(1);
		assertThat(stats.totals().stale()).isEqualTo(1);
		assertThat(this.delayQueue.purge("by_hand", TaskState.DEAD, 10)).isEqualTo(1);
	}

	@Test
	void handlersAreRegisteredInCodeWhileTheApplicationRuns() {
		List<String> handled = new CopyOnWriteArrayList<>();
		String queue = "code-" + this.id;
		this.registry.register(queue, String.class, (task, taskContext) -> {
			handled.add(task.payload());
			return TaskResult.done();
		}, ListenerOptions.builder().id(queue).build());
		this.delayQueue.schedule(queue, "one", Duration.ZERO);
		await().until(() -> handled.contains("one"));
		this.registry.get(queue).stop();
		this.delayQueue.schedule(queue, "two", Duration.ZERO);
		this.registry.get(queue).start();
		await().until(() -> handled.contains("two"));
		assertThat(this.registry.unregister(queue)).isTrue();
	}

	@Test
	void goesOnAfterTheContextWasStoppedAndStarted() {
		this.context.stop();
		this.context.start();
		this.delayQueue.schedule("order_timeout", this.id, new Order(this.id, List.of()), Duration.ZERO);
		await().until(() -> this.handlers.closed.stream().anyMatch((order) -> order.contains(this.id)));
	}

	@Test
	void keysAreThoseOfTheDocumentedLayout() {
		this.delayQueue.schedule(
				TaskRequest.queue("layout").id("h").priority(TaskPriority.HIGH).delay(Duration.ofHours(1)).build());
		this.delayQueue.schedule(
				TaskRequest.queue("layout").id("l").priority(TaskPriority.LOW).delay(Duration.ofHours(1)).build());
		this.delayQueue.schedule("layout", "n", Map.of("a", 1), Duration.ofHours(1));
		assertThat(TestRedis.cli("TYPE", "app:{layout}")).isEqualTo("zset");
		assertThat(TestRedis.cli("ZRANGE", "app:{layout}:high", "0", "-1")).isEqualTo(List.of("h"));
		assertThat(TestRedis.cli("ZRANGE", "app:{layout}:low", "0", "-1")).isEqualTo(List.of("l"));
		assertThat(TestRedis.cli("HGET", "app:{layout}:tasks", "n")).isEqualTo("{\"v\":1,\"p\":{\"a\":1}}");
		assertThat(TestRedis.cli("HGET", "app:{layout}:meta", "scheduled")).isNotNull();
		assertThat(TestRedis.cli("SISMEMBER", "app:names", "layout")).isEqualTo(1L);
	}

	/** However long this thread stands still, nothing is delivered meanwhile. */
	private void whilePaused(String queue, Runnable action) {
		this.delayQueue.pause(queue);
		try {
			action.run();
		}
		finally {
			this.delayQueue.resume(queue);
		}
	}

	record Order(String number, List<String> items) {

	}

	static class Handlers {

		private final List<String> closed = new CopyOnWriteArrayList<>();

		private final Map<String, AtomicInteger> attempts = new ConcurrentHashMap<>();

		private final List<String> around = new CopyOnWriteArrayList<>();

		private volatile boolean answering;

		@DelayQueueListener(queue = "order_timeout")
		void close(Order order, @Header(name = "tenant", required = false) String tenant) {
			this.closed.add(order + " of " + tenant);
		}

		@DelayQueueListener(queue = "webhook")
		void call(DelayedTask<String> task) {
			this.attempts.computeIfAbsent(task.id(), (id) -> new AtomicInteger()).incrementAndGet();
			if (!this.answering) {
				throw new IllegalStateException("no answer");
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(TestRedisConfiguration.class)
	static class Application {

		@Bean
		Handlers handlers() {
			return new Handlers();
		}

		@Bean
		@org.springframework.core.annotation.Order(2)
		TaskInterceptor inner(Handlers handlers) {
			return (deliveries, handler) -> {
				handlers.around.add("inner of " + deliveries.get(0).task().id());
				return handler.handle(deliveries);
			};
		}

		/** Depends on what hands it over. */
		@Bean
		@org.springframework.core.annotation.Order(1)
		TaskInterceptor outer(Handlers handlers, DelayQueueListenerContainerRegistry registry) {
			return (deliveries, handler) -> {
				handlers.around.add("outer of " + deliveries.get(0).task().id());
				return handler.handle(deliveries);
			};
		}

	}

}
