package io.github.delayqueue.autoconfigure;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.JsonNode;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.LocalHttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for an application with everything that Spring Boot configures, and a store in
 * memory.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "management.endpoints.web.exposure.include=health,delayqueue",
				"management.endpoint.health.show-details=always", "management.health.redis.enabled=false" })
class DelayQueueWebApplicationIntegrationTests {

	@LocalServerPort
	private int port;

	@Autowired
	private DelayQueueOperations delayQueue;

	@Autowired
	private Listener listener;

	@Autowired
	private MeterRegistry meters;

	@Autowired
	private ConfigurableApplicationContext context;

	@Test
	void taskIsHandledAndShown() throws Exception {
		this.delayQueue.schedule("greeting", "hello", Duration.ofMillis(10));
		await().untilAsserted(() -> {
			assertThat(this.listener.handled).contains("hello");
			JsonNode queue = get("/actuator/delayqueue/greeting");
			assertThat(queue.at("/totals/completed").asLong()).isPositive();
			assertThat(queue.at("/totals/completed")).isEqualTo(queue.at("/totals/scheduled"));
			assertThat(queue.at("/listeners/0/running").asBoolean()).isTrue();
			assertThat(this.meters.get("delay.queue.process")
				.tags("queue", "greeting", "outcome", "success")
				.timer()
				.count()).isPositive();
		});
		assertThat(get("/actuator/health/delayQueue").at("/status").asString()).isEqualTo("UP");
	}

	@Test
	void listenersGoOnWhenTheContextIsStoppedAndStartedAgain() {
		this.context.stop();
		this.delayQueue.schedule("greeting", "while stopped", Duration.ZERO);
		assertThat(this.delayQueue.stats("greeting").scheduled()).isEqualTo(1);
		this.context.start();
		await().untilAsserted(() -> assertThat(this.listener.handled).contains("while stopped"));
	}

	private JsonNode get(String path) {
		return Objects.requireNonNull(LocalHttp.client(this.port)
			.get()
			.uri(path)
			.exchangeSuccessfully()
			.returnResult(JsonNode.class)
			.getResponseBody());
	}

	static class Listener {

		private final List<String> handled = new CopyOnWriteArrayList<>();

		@DelayQueueListener(queue = "greeting")
		void handle(String greeting) {
			this.handled.add(greeting);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Listener listener() {
			return new Listener();
		}

		@Bean
		InMemoryTaskStore store() {
			return new InMemoryTaskStore(Clock.systemUTC());
		}

		@Bean
		SimpleMeterRegistry meterRegistry() {
			return new SimpleMeterRegistry();
		}

	}

}
