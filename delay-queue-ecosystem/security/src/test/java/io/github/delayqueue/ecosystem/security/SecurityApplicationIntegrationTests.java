package io.github.delayqueue.ecosystem.security;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpHeaders;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.test.web.servlet.client.RestTestClient.RequestHeadersSpec;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.LocalHttp;
import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.producer.DelayQueueOperations;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who gets to endpoint and page of an application with Spring Boot's starter for Spring
 * Security, and what it takes to change something.
 */
@Heavy
class SecurityApplicationIntegrationTests {

	private static final String QUEUE = "invoices";

	private static final String[] PLACES = { "/actuator/delayqueue", "/actuator/delayqueue/invoices",
			"/actuator/delayqueue/invoices/tasks", "/actuator/delayqueueui", "/actuator/delayqueueui/" };

	/** A refusal is rendered by {@code /error}, which is protected as well. */
	private static final List<Integer> REFUSED = List.of(401, 403);

	private static final Consumer<HttpHeaders> USER = (headers) -> headers.setBasicAuth("ann", "secret");

	@Test
	void starterOfSpringSecurityLocksEndpointAndPage() {
		try (ConfigurableApplicationContext application = start("USER")) {
			String id = deadLetter(application);
			RestTestClient http = http(application);
			for (String place : PLACES) {
				http.get().uri(place).exchange().expectStatus().isUnauthorized();
				http.get().uri(place).headers(USER).exchange().expectStatus().isOk();
			}
			assertThat(status(redrive(application, id))).isIn(REFUSED);
			// without a token of CSRF protection
			assertThat(status(redrive(application, id).headers(USER))).isIn(REFUSED);
			assertThat(state(application, id)).isEqualTo(TaskState.DEAD);
		}
	}

	@Test
	void ruleOfTheDocumentationLetsOperatorsIn() {
		try (ConfigurableApplicationContext application = start("OPERATOR", "--spring.profiles.active=operators")) {
			String id = deadLetter(application);
			RestTestClient http = http(application);
			for (String place : PLACES) {
				http.get().uri(place).exchange().expectStatus().isUnauthorized();
				http.get().uri(place).headers(USER).exchange().expectStatus().isOk();
			}
			redrive(application, id).exchange().expectStatus().isUnauthorized();
			redrive(application, id).headers(USER).exchange().expectStatus().isOk();
			assertThat(state(application, id)).isEqualTo(TaskState.SCHEDULED);
		}
	}

	private static RequestHeadersSpec<?> redrive(ConfigurableApplicationContext application, String id) {
		return http(application).post()
			.uri("/actuator/delayqueue/" + QUEUE)
			.body(Map.of("action", "redrive", "id", id));
	}

	private static int status(RequestHeadersSpec<?> request) {
		return request.exchange().returnResult().getStatus().value();
	}

	private static ConfigurableApplicationContext start(String role, String... more) {
		return SpringApplication
			.run(SecurityApplication.class, Stream
				.concat(Stream.of(RedisServer.shared().argument(), "--server.port=0", "--spring.security.user.name=ann",
						"--spring.security.user.password=secret", "--spring.security.user.roles=" + role,
						"--management.endpoints.web.exposure.include=delayqueue,delayqueueui",
						"--management.endpoint.delayqueue.access=unrestricted"), Stream.of(more))
				.toArray(String[]::new));
	}

	private static RestTestClient http(ConfigurableApplicationContext application) {
		return LocalHttp.client(application.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
	}

	private static String deadLetter(ConfigurableApplicationContext application) {
		DelayQueueOperations delayQueue = application.getBean(DelayQueueOperations.class);
		delayQueue.clear(QUEUE);
		String id = delayQueue.schedulePayload(QUEUE, "payload", Duration.ZERO).taskId();
		delayQueue.poll(QUEUE, 1, Duration.ofMinutes(1)).get(0).deadLetter("no good");
		return id;
	}

	private static TaskState state(ConfigurableApplicationContext application, String id) {
		return application.getBean(DelayQueueOperations.class).find(QUEUE, id).orElseThrow().state();
	}

}
