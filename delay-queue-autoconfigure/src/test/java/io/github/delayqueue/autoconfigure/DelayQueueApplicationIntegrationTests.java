package io.github.delayqueue.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.messaging.handler.annotation.Header;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.listener.TaskInterceptor;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskDetails;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.testsupport.TestRedis;
import io.github.delayqueue.testsupport.TestRedisConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An application as a user writes it, on a real Redis: annotated methods, the template,
 * and what is found in Redis.
 */
@SpringBootTest(properties = { "delay-queue.key-prefix=app:", "delay-queue.completed.retention=1h",
		"delay-queue.queues.webhook.retry.delays=10ms,20ms,30ms" })
class DelayQueueApplicationIntegrationTests {

	@Autowired
	private DelayQueueOperations delayQueue;

	@Autowired
	private Handlers handlers;

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

		private final List<String> around = new CopyOnWriteArrayList<>();

		@DelayQueueListener(queue = "order_timeout")
		void close(Order order, @Header(name = "tenant", required = false) String tenant) {
			this.closed.add(order + " of " + tenant);
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
