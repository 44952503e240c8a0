package io.github.delayqueue.ecosystem.webflux;

import java.net.http.HttpResponse;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.reactive.context.ReactiveWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ClassUtils;

import io.github.delayqueue.testsupport.HttpCalls;
import io.github.delayqueue.testsupport.LocalRedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Scheduling, listening, endpoint and page in a reactive application.
 */
class WebFluxApplicationIntegrationTests {

	private static ConfigurableApplicationContext application;

	private static HttpCalls http;

	@BeforeAll
	static void start() {
		application = SpringApplication.run(WebFluxApplication.class, LocalRedis.argument(), "--server.port=0",
				"--management.endpoints.web.exposure.include=health,delayqueue",
				"--management.endpoint.delayqueue.access=unrestricted", "--delay-queue.dashboard.enabled=true");
		http = new HttpCalls(application.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
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
		HttpResponse<String> created = http.post("/orders/order_1", "");
		assertThat(created.statusCode()).isEqualTo(201);
		assertThat(created.body()).isEqualTo("order_1");
		await().untilAsserted(() -> assertThat(http.get("/orders/order_1").body()).isEqualTo("CANCELLED"));
	}

	@Test
	void endpointAnswersAndActs() {
		assertThat(http.get("/actuator/delayqueue/order_timeout").body()).contains("\"scheduled\":",
				"\"listeners\":[{");
		assertThat(act("pause").statusCode()).isEqualTo(200);
		assertThat(http.get("/actuator/delayqueue/order_timeout").body()).contains("\"paused\":true");
		assertThat(act("resume").statusCode()).isEqualTo(200);
		assertThat(http.get("/actuator/health").body()).contains("\"status\":\"UP\"");
	}

	@Test
	void pageIsServed() {
		assertThat(http.get("/delay-queue/").body()).contains("<html");
		assertThat(http.get("/delay-queue/app.js").statusCode()).isEqualTo(200);
	}

	private static HttpResponse<String> act(String action) {
		return http.post("/actuator/delayqueue/order_timeout", "{\"action\":\"%s\"}".formatted(action));
	}

}
