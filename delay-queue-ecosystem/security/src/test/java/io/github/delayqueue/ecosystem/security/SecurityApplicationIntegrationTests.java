package io.github.delayqueue.ecosystem.security;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.HttpCalls;
import io.github.delayqueue.testsupport.LocalRedis;
import io.github.delayqueue.producer.DelayQueueOperations;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who gets to endpoint and page of an application with Spring Boot's starter for Spring
 * Security, and what it takes to change something.
 */
@Heavy
class SecurityApplicationIntegrationTests {

	private static final String QUEUE = "invoices";

	private static final String[] PLACES = { "/actuator/delayqueue", "/actuator/delayqueue/invoices", "/delay-queue/",
			"/delay-queue/app.js", "/delay-queue/api/queues" };

	/** A refusal is rendered by {@code /error}, which is protected as well. */
	private static final List<Integer> REFUSED = List.of(401, 403);

	private static final Pattern TOKEN = Pattern.compile("\"header\":\"([^\"]+)\"|\"token\":\"([^\"]+)\"");

	@Test
	void starterOfSpringSecurityLocksEndpointAndPage() {
		try (ConfigurableApplicationContext application = start("USER")) {
			String id = bury(application);
			HttpCalls http = http(application);
			for (String place : PLACES) {
				assertThat(http.get(place).statusCode()).as(place).isEqualTo(401);
				assertThat(http.get(place, user()).statusCode()).as(place).isEqualTo(200);
			}
			String redrive = "{\"action\":\"redrive\",\"id\":\"%s\"}".formatted(id);
			assertThat(http(application).post("/actuator/delayqueue/" + QUEUE, redrive).statusCode()).isIn(REFUSED);
			// without a token of CSRF protection
			assertThat(http(application).post("/actuator/delayqueue/" + QUEUE, redrive, user()).statusCode())
				.isIn(REFUSED);
			assertThat(state(application, id)).isEqualTo(TaskState.DEAD);
			redriveByThePage(application, id);
		}
	}

	@Test
	void ruleOfTheDocumentationLetsOperatorsIn() {
		try (ConfigurableApplicationContext application = start("OPERATOR", "--spring.profiles.active=operators")) {
			String id = bury(application);
			HttpCalls http = http(application);
			for (String place : PLACES) {
				assertThat(http.get(place).statusCode()).as(place).isEqualTo(401);
				assertThat(http.get(place, user()).statusCode()).as(place).isEqualTo(200);
			}
			String redrive = "{\"action\":\"redrive\",\"id\":\"%s\"}".formatted(id);
			assertThat(http(application).post("/actuator/delayqueue/" + QUEUE, redrive).statusCode()).isEqualTo(401);
			assertThat(http(application).post("/actuator/delayqueue/" + QUEUE, redrive, user()).statusCode())
				.isEqualTo(200);
			assertThat(state(application, id)).isEqualTo(TaskState.SCHEDULED);
			redriveByThePage(application, bury(application));
		}
	}

	@Test
	void userWithAnotherRoleIsRefused() {
		try (ConfigurableApplicationContext application = start("USER", "--spring.profiles.active=operators")) {
			HttpCalls http = http(application);
			for (String place : PLACES) {
				assertThat(http.get(place, user()).statusCode()).as(place).isEqualTo(403);
			}
		}
	}

	/** As the page does: with the token that it asks for. */
	private static void redriveByThePage(ConfigurableApplicationContext application, String id) {
		HttpCalls http = http(application);
		String action = "{\"queue\":\"%s\",\"action\":\"redrive\",\"id\":\"%s\"}".formatted(QUEUE, id);
		String[] withoutToken = Stream.concat(Stream.of("X-Delay-Queue-Dashboard", "1"), Stream.of(user()))
			.toArray(String[]::new);
		assertThat(http.post("/delay-queue/api/act", action, withoutToken).statusCode()).isIn(REFUSED);
		assertThat(state(application, id)).isEqualTo(TaskState.DEAD);
		Matcher about = TOKEN.matcher(http.get("/delay-queue/api/about", user()).body());
		assertThat(about.find()).isTrue();
		String header = about.group(1);
		assertThat(about.find()).isTrue();
		String[] withToken = Stream.concat(Stream.of(header, about.group(2)), Stream.of(withoutToken))
			.toArray(String[]::new);
		assertThat(http.post("/delay-queue/api/act", action, withToken).statusCode()).isEqualTo(200);
		assertThat(state(application, id)).isEqualTo(TaskState.SCHEDULED);
	}

	private static ConfigurableApplicationContext start(String role, String... more) {
		return SpringApplication.run(SecurityApplication.class,
				Stream.concat(Stream.of(LocalRedis.argument(), "--server.port=0", "--spring.security.user.name=ann",
						"--spring.security.user.password=secret", "--spring.security.user.roles=" + role,
						"--management.endpoints.web.exposure.include=delayqueue",
						"--management.endpoint.delayqueue.access=unrestricted", "--delay-queue.dashboard.enabled=true"),
						Stream.of(more))
					.toArray(String[]::new));
	}

	private static HttpCalls http(ConfigurableApplicationContext application) {
		return new HttpCalls(application.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
	}

	private static String[] user() {
		return new String[] { "Authorization",
				"Basic " + Base64.getEncoder().encodeToString("ann:secret".getBytes(StandardCharsets.UTF_8)) };
	}

	private static String bury(ConfigurableApplicationContext application) {
		DelayQueueOperations delayQueue = application.getBean(DelayQueueOperations.class);
		delayQueue.clear(QUEUE);
		String id = delayQueue.schedule(QUEUE, "payload", Duration.ZERO);
		delayQueue.poll(QUEUE, 1, Duration.ofMinutes(1)).get(0).bury("no good");
		return id;
	}

	private static TaskState state(ConfigurableApplicationContext application, String id) {
		return application.getBean(DelayQueueOperations.class).find(QUEUE, id).orElseThrow().state();
	}

}
