package io.github.delayqueue.ecosystem.plain;

import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.util.ClassUtils;

import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.ecosystem.plain.Orders.Order;
import io.github.delayqueue.failover.DriverRuntimeHints;
import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.producer.DelayQueueOperations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.awaitility.Awaitility.await;

/**
 * {@code @EnableDelayQueue} without {@code SpringApplication}, auto-configuration,
 * actuator and Micrometer.
 */
class PlainApplicationIntegrationTests {

	@BeforeEach
	void nameRedis() {
		nameRedis(RedisServer.shared());
	}

	private static void nameRedis(RedisServer server) {
		System.setProperty("redis.port", String.valueOf(server.port()));
	}

	@Test
	void taskIsHandledAndRetried() {
		try (var context = new AnnotationConfigApplicationContext(PlainApplication.class)) {
			Orders orders = context.getBean(Orders.class);
			DelayQueueOperations delayQueue = connected(context);
			Order pen = new Order("order_1", "pen");
			Order unlucky = new Order("order_2", "unlucky");
			orders.place(pen);
			orders.place(unlucky);
			await().untilAsserted(() -> assertThat(orders.closed()).containsExactlyInAnyOrder(pen, unlucky, unlucky));
			await().until(() -> delayQueue.stats("order_timeout").inFlight() == 0);
			assertThat(RedisServer.shared().text("HGET", "plain:{order_timeout}:meta", "retried")).isEqualTo("1");
		}
	}

	@Test
	void nothingOfIntegrationsThatAreOptionalIsThere() {
		assertThat(List.of("org.springframework.boot.actuate.endpoint.annotation.Endpoint",
				"org.springframework.boot.health.contributor.HealthIndicator",
				"io.micrometer.core.instrument.MeterRegistry", "org.springframework.web.context.WebApplicationContext",
				"org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration"))
			.noneMatch((type) -> ClassUtils.isPresent(type, null));
	}

	@Test
	void hintsForNativeImagesNeedNoJedis() {
		assertThat(ClassUtils.isPresent("redis.clients.jedis.Jedis", null)).isFalse();
		assertThatNoException().isThrownBy(() -> new DriverRuntimeHints().registerHints(new RuntimeHints(), null));
	}

	@Test
	void closedApplicationLeavesNeitherThreadsNorConnections() {
		// that of another test may still be closing connections to the shared server
		try (RedisServer server = RedisServer.startNew()) {
			nameRedis(server);
			try (var context = new AnnotationConfigApplicationContext(PlainApplication.class)) {
				connected(context);
				Orders orders = context.getBean(Orders.class);
				orders.place(new Order("order_3", "pen"));
				await().until(() -> !orders.closed().isEmpty());
				assertThat(server.connections()).isPositive();
				assertThat(delayQueueThreads()).isNotEmpty();
			}
			await().untilAsserted(() -> assertThat(delayQueueThreads()).isEmpty());
			await().untilAsserted(() -> assertThat(server.connections()).isZero());
		}
	}

	/** The first connection takes longer on a busy machine than an application waits. */
	private static DelayQueueOperations connected(ApplicationContext context) {
		DelayQueueOperations delayQueue = context.getBean(DelayQueueOperations.class);
		await().ignoreExceptionsInstanceOf(StoreUnavailableException.class)
			.until(() -> delayQueue.stats("order_timeout") != null);
		return delayQueue;
	}

	private static List<String> delayQueueThreads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("delay-queue"))
			.toList();
	}

}
