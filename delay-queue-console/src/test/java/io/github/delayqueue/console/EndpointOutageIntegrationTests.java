package io.github.delayqueue.console;

import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.client.assertj.RestTestClientResponse;

import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link DelayQueueEndpointWebExtension} while Redis is away.
 */
class EndpointOutageIntegrationTests {

	@Test
	void everythingIsUnavailableWhileRedisIsAwayOrDoesNotAnswerAndThereAgainAfterwards() throws Exception {
		try (RedisServer redis = RedisServer.startNew(); ConfigurableApplicationContext context = start(redis)) {
			DelayQueueOperations operations = context.getBean(DelayQueueOperations.class);
			int port = ((WebServerApplicationContext) context).getWebServer().getPort();
			EndpointClient client = new EndpointClient(port);
			// a busy machine takes longer to connect than a command may
			await().ignoreExceptions()
				.until(() -> operations.schedule("orders", "a", null, Duration.ofDays(1)) != null);
			await().until(() -> client.get("").getExchangeResult().getStatus() == HttpStatus.OK);
			assertThat(client.get("/orders/tasks")).bodyText().contains("\"id\":\"a\"");
			redis.kill();
			assertUnavailable(client.get(""));
			assertUnavailable(client.get("/orders"));
			assertUnavailable(client.get("/orders/tasks"));
			assertUnavailable(client.get("/orders/tasks?id=a"));
			assertUnavailable(client.post("/orders", Map.of("action", "pause")));
			redis.start();
			await().until(() -> client.get("").getExchangeResult().getStatus() == HttpStatus.OK);
			redis.pause();
			assertUnavailable(client.get(""));
			redis.resume();
			await().until(() -> client.get("").getExchangeResult().getStatus() == HttpStatus.OK);
		}
	}

	private static void assertUnavailable(RestTestClientResponse response) {
		assertThat(response).hasStatus(503).bodyText().startsWith("{\"error\":\"").contains("Could not");
	}

	private static ConfigurableApplicationContext start(RedisServer redis) {
		return new SpringApplicationBuilder(Application.class)
			.properties("server.port=0", "spring.data.redis.url=" + redis.url(),
					"management.endpoints.web.exposure.include=delayqueue",
					"management.endpoint.delayqueue.access=unrestricted")
			.run("--delay-queue.command-timeout=2s");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
