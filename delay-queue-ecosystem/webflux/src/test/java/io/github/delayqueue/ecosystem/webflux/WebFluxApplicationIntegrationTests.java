package io.github.delayqueue.ecosystem.webflux;

import java.util.Map;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.reactive.context.ReactiveWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.test.web.servlet.client.assertj.RestTestClientResponse;
import org.springframework.util.ClassUtils;

import io.github.delayqueue.testsupport.LocalHttp;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Scheduling, listening, endpoint and page in a reactive application.
 */
class WebFluxApplicationIntegrationTests {

	private static ConfigurableApplicationContext application;

	private static RestTestClient http;

	@BeforeAll
	static void start() {
		application = SpringApplication.run(WebFluxApplication.class, RedisServer.shared().argument(),
				"--server.port=0", "--management.endpoints.web.exposure.include=health,delayqueue,delayqueueui",
				"--management.endpoint.delayqueue.access=unrestricted");
		http = LocalHttp.client(application.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	@Test
	void applicationIsReactive() {
		assertThat(application).isInstanceOf(ReactiveWebServerApplicationContext.class);
		assertThat(ClassUtils.isPresent("jakarta.servlet.Servlet", null)).isFalse();
	}

	@Test
	void taskIsScheduledAndHandledWithoutBlocking() {
		http.post()
			.uri("/orders/order_1")
			.exchange()
			.expectStatus()
			.isCreated()
			.expectBody(String.class)
			.isEqualTo("order_1");
		await().untilAsserted(() -> assertThat(get("/orders/order_1")).bodyText().isEqualTo("CANCELLED"));
	}

	@Test
	void endpointAnswersAndActs() {
		assertThat(get("/actuator/delayqueue/order_timeout")).bodyText().contains("\"waiting\":", "\"listeners\":[{");
		act("pause");
		assertThat(get("/actuator/delayqueue/order_timeout")).bodyText().contains("\"paused\":true");
		act("resume");
		assertThat(get("/actuator/health")).bodyText().contains("\"status\":\"UP\"");
	}

	@Test
	void pageIsServed() {
		assertThat(get("/actuator/delayqueueui")).bodyText().contains("<html");
		assertThat(get("/actuator/delayqueueui/")).hasStatusOk();
	}

	private static RestTestClientResponse get(String path) {
		return RestTestClientResponse.from(http.get().uri(path).exchange());
	}

	private static void act(String action) {
		http.post()
			.uri("/actuator/delayqueue/order_timeout")
			.body(Map.of("action", action))
			.exchange()
			.expectStatus()
			.isOk();
	}

}
