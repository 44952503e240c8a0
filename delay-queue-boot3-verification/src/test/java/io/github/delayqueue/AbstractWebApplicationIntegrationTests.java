package io.github.delayqueue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.listener.TaskContext;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application on Spring Boot 3 with the starter for it, on a real Redis, asked over
 * HTTP.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class AbstractWebApplicationIntegrationTests {

	/** A queue that nobody consumes. */
	private static final String QUEUE = "invoices";

	private static final String ENDPOINT = "/actuator/delayqueue";

	private static final String PAGE = "/actuator/ops/page";

	private final HttpClient http = HttpClient.newHttpClient();

	private final WebApplicationType type;

	private ConfigurableApplicationContext application;

	AbstractWebApplicationIntegrationTests(WebApplicationType type) {
		this.type = type;
	}

	@BeforeAll
	void start() {
		this.application = new SpringApplicationBuilder(Application.class).web(this.type)
			.run("--server.port=0", RedisServer.shared().argument(), "--management.endpoints.web.exposure.include=*",
					"--management.endpoint.delayqueue.access=unrestricted",
					"--management.endpoint.delayqueue.show-values=always",
					"--management.endpoint.health.show-details=always",
					"--management.endpoints.web.path-mapping.delayqueueui=ops/page",
					"--delay-queue.key-prefix=" + this.type, "--delay-queue.queues.journaled.journal.enabled=true",
					"--delay-queue.command-timeout=10s", "--spring.datasource.generate-unique-name=true");
	}

	@AfterAll
	void stop() {
		this.application.close();
	}

	@Test
	void taskIsHandledAtItsSecondAttemptFromJournalToo() {
		for (String queue : List.of("orders", "journaled")) {
			operations().schedulePayload(queue, new Order(queue, Duration.ofMinutes(30)), Duration.ofMillis(100));
		}
		Handlers handlers = this.application.getBean(Handlers.class);
		Awaitility.await().untilAsserted(() -> {
			assertThat(handlers.orders).hasValue(2);
			assertThat(handlers.journaled).hasValue(2);
		});
	}

	@Test
	void taskThatCannotBeHandledIsDead() {
		operations().clear("refused");
		operations().schedule("refused", "a", null, Duration.ZERO);
		Awaitility.await()
			.untilAsserted(() -> assertThat(operations().find("refused", "a")).get()
				.satisfies((task) -> assertThat(task.state()).isEqualTo(TaskState.DEAD)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "/invoices", "/invoices/tasks", "/invoices/tasks?state=DEAD", "/invoices/dead",
			"/invoices/forecast", "/invoices/history", "?view=instances", "?recurring=true", "?id=none" })
	void endpointIsReadWithoutItsOptionalParameters(String path) throws Exception {
		dead("1");
		HttpResponse<String> answer = get(ENDPOINT + path);
		assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "pause", "resume", "redrive", "delete" })
	void endpointActsWithoutItsOptionalParameters(String action) throws Exception {
		dead("1");
		HttpResponse<String> answer = post(ENDPOINT + "/invoices",
				action.equals("delete") ? Map.of("action", action, "state", "DEAD") : Map.of("action", action));
		assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
	}

	@Test
	void endpointSaysWhatItDoesNotDo() throws Exception {
		dead("1");
		assertThat(post(ENDPOINT + "/invoices", Map.of()).statusCode()).isEqualTo(400);
		assertThat(get(ENDPOINT + "/none").statusCode()).isEqualTo(404);
		assertThat(get(ENDPOINT + "/invoices/tasks?limit=501").body()).startsWith("{\"error\":\"");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "/" })
	void pageFindsTheEndpoint(String end) throws Exception {
		HttpResponse<String> page = get(PAGE + end);
		assertThat(page.statusCode()).isEqualTo(200);
		assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html;charset=UTF-8");
		assertThat(page.body()).contains("<title>Delay Queue</title>",
				"<meta name=\"endpoint\" content=\"./../delayqueue\">");
		assertThat(get(PAGE + "/app.js").statusCode()).isEqualTo(404);
	}

	@Test
	void pageActs() throws Exception {
		dead("1");
		assertThat(post(ENDPOINT + "/-", Map.of("action", "allowed")).body()).isEqualTo("{\"action\":\"allowed\"}");
		HttpResponse<String> answer = post(ENDPOINT + "/" + QUEUE, Map.of("action", "redrive", "id", "1"));
		assertThat(answer.body()).isEqualTo("{\"action\":\"redrive\",\"tasks\":1}");
		assertThat(get(ENDPOINT + "/" + QUEUE + "/tasks/1").body()).contains("\"state\":\"SCHEDULED\"");
		HttpRequest text = HttpRequest.newBuilder(URI.create(address() + ENDPOINT + "/" + QUEUE))
			.header("Content-Type", "text/plain")
			.POST(BodyPublishers.ofString("{\"action\":\"pause\"}"))
			.build();
		assertThat(this.http.send(text, BodyHandlers.ofString()).statusCode()).isEqualTo(415);
	}

	@Test
	void healthAndMetersAreThere() throws Exception {
		JsonNode health = new ObjectMapper().readTree(get("/actuator/health").body()).at("/components/delayQueue");
		assertThat(health.at("/status").asText()).isEqualTo("UP");
		assertThat(health.at("/details/listeners").size()).isEqualTo(3);
		assertThat(health.at("/details/redis/version").asText()).startsWith("Redis");
		operations().schedulePayload("orders", null, Duration.ofDays(1));
		assertThat(get("/actuator/metrics/delay.queue.tasks?tag=queue:orders").statusCode()).isEqualTo(200);
	}

	private void dead(String id) {
		operations().resume(QUEUE);
		operations().clear(QUEUE);
		operations().delete(QUEUE, TaskState.DEAD, 100);
		operations().schedule(TaskRequest.queue(QUEUE).id(id).payload(new Order("o", Duration.ofMinutes(30))).build());
		operations().poll(QUEUE, 1, Duration.ofMinutes(1)).get(0).deadLetter("no account");
	}

	final DelayQueueOperations operations() {
		return this.application.getBean(DelayQueueOperations.class);
	}

	final String address() {
		return "http://localhost:" + this.application.getEnvironment().getProperty("local.server.port");
	}

	private HttpResponse<String> get(String path) throws IOException, InterruptedException {
		return this.http.send(HttpRequest.newBuilder(URI.create(address() + path)).build(), BodyHandlers.ofString());
	}

	private HttpResponse<String> post(String path, Map<String, String> body) throws IOException, InterruptedException {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address() + path))
			.header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString(new ObjectMapper().writeValueAsString(body)));
		return this.http.send(request.build(), BodyHandlers.ofString());
	}

	record Order(String number, Duration patience) {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Handlers.class)
	static class Application {

	}

	static class Handlers {

		private final AtomicInteger orders = new AtomicInteger();

		private final AtomicInteger journaled = new AtomicInteger();

		@DelayQueueListener(queue = "orders", retryDelays = "10ms")
		boolean close(Order order) {
			assertThat(order.patience()).hasMinutes(30);
			return this.orders.incrementAndGet() == 2;
		}

		@DelayQueueListener(queue = "journaled", retryDelays = "10ms")
		boolean closeJournaled(Order order) {
			assertThat(order.number()).isEqualTo("journaled");
			return this.journaled.incrementAndGet() == 2;
		}

		@DelayQueueListener(queue = "refused", maxAttempts = "1")
		void refuse(TaskContext task) {
			throw new IllegalStateException("no");
		}

	}

}
