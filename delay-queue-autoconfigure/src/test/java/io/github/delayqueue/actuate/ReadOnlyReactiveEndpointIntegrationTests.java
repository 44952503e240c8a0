package io.github.delayqueue.actuate;

import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.testsupport.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DelayQueueEndpointWebExtension} in a reactive application that has set
 * nothing but that the endpoint is exposed. The same for a servlet application is in
 * {@link DelayQueueEndpointWebIntegrationTests}.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = { "spring.main.web-application-type=reactive",
		"delay-queue.key-prefix=read-only:", "management.endpoints.web.exposure.include=delayqueue" })
class ReadOnlyReactiveEndpointIntegrationTests {

	@Autowired
	private DelayQueueOperations operations;

	@LocalServerPort
	private int port;

	@DynamicPropertySource
	static void redis(DynamicPropertyRegistry registry) {
		registry.add("spring.data.redis.url", TestRedis::url);
	}

	@Test
	void tasksCanBeLookedAtButNotChangedAndPayloadsAreHidden() throws Exception {
		EndpointClient client = new EndpointClient(this.port);
		this.operations.schedule("orders", "a/b", "secret", Duration.ofDays(1));
		assertThat(client.get("")).bodyText().contains("\"orders\":{\"scheduled\":1,");
		assertThat(client.get("/orders/tasks?id=a/b")).bodyText()
			.contains("\"payload\":\"******\"")
			.doesNotContain("secret");
		assertThat(client.post("/orders", Map.of("action", "cancel", "id", "a/b"))).hasStatus(405);
		assertThat(this.operations.cancel("orders", "a/b")).isTrue();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
