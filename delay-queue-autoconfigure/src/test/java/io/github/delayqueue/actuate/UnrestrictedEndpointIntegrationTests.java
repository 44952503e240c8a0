package io.github.delayqueue.actuate;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskDetails;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DelayQueueEndpoint} where it may change queues, on a real Redis.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = { "delay-queue.key-prefix=unrestricted:",
		"management.endpoints.web.exposure.include=delayqueue", "management.endpoint.delayqueue.access=unrestricted" })
class UnrestrictedEndpointIntegrationTests {

	private static final String QUEUE = "repaired";

	private static final String BASE = "unrestricted:{" + QUEUE + "}";

	private final HttpClient client = HttpClient.newHttpClient();

	@Autowired
	private DelayQueueOperations operations;

	@Autowired
	private TaskStore store;

	@LocalServerPort
	private int port;

	@DynamicPropertySource
	static void redis(DynamicPropertyRegistry registry) {
		registry.add("spring.data.redis.url", TestRedis::url);
	}

	@BeforeEach
	void loseAnEntry() {
		this.operations.clear(QUEUE);
		this.operations.repair(QUEUE);
		this.operations.schedule(QUEUE, "kept", "payload", Duration.ofDays(1));
		this.operations.schedule(QUEUE, "lost", "payload", Duration.ofDays(1));
		this.store.announce(QUEUE);
		TestRedis.cli("ZREM", BASE, "lost");
	}

	@Test
	void repairMendsWhatTheCheckHasFound() throws Exception {
		assertThat(get("/check").body()).contains(
				"{\"kind\":\"RECORD_WITHOUT_INDEX\",\"subject\":\"lost\",\"places\":[]}",
				"{\"kind\":\"TOTALS\",\"subject\":\"cleared\",\"places\":[]}", "\"difference\":1");

		HttpResponse<String> repaired = post("{\"action\":\"repair\"}");

		assertThat(repaired.statusCode()).isEqualTo(200);
		assertThat(repaired.body()).startsWith("{\"checked\":3,\"findings\":[{\"kind\":"
				+ "\"RECORD_WITHOUT_INDEX\",\"subject\":\"lost\",\"places\":[],\"after\":\"dead\"}],");
		assertThat(get("/check").body()).contains("\"findings\":[]", "\"difference\":0");
		TaskDetails task = this.operations.find(QUEUE, "lost").orElseThrow();
		assertThat(task.payload(String.class)).isEqualTo("payload");
		assertThat(task.lastFailure()).extracting("reason").isEqualTo(DeadReason.RECOVERED);
		assertThat(this.operations.redrive(QUEUE, "lost")).isTrue();
	}

	@Test
	void repairGoesStepByStep() throws Exception {
		HttpResponse<String> first = post("{\"action\":\"repair\",\"limit\":1}");
		assertThat(first.body()).startsWith("{\"cursor\":\"deliveries:0\",\"checked\":2,");
		HttpResponse<String> second = post("{\"action\":\"repair\",\"cursor\":\"deliveries:0\"}");
		assertThat(second.body()).startsWith("{\"checked\":");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{\"action\":null}", "{\"action\":\"\"}", "{\"action\":\"destroy\"}" })
	void unknownActionIsABadRequestThatNamesTheKnownOnes(String body) throws Exception {
		HttpResponse<String> response = post(body);
		assertThat(response.statusCode()).isEqualTo(400);
		assertThat(response.body())
			.isEqualTo("{\"error\":\"The action has to be one of: pause, resume, run-now, reschedule, "
					+ "cancel, redrive, purge, start, stop, repair\"}");
		assertThat(get("/check").body()).contains("RECORD_WITHOUT_INDEX");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"action\":\"repair\",\"limit\":0}", "{\"action\":\"repair\",\"limit\":1001}",
			"{\"action\":\"repair\",\"cursor\":\"nonsense\"}" })
	void limitOrCursorThatIsNotAllowedIsABadRequest(String body) throws Exception {
		HttpResponse<String> response = post(body);
		assertThat(response.statusCode()).isEqualTo(400);
		assertThat(response.body()).startsWith("{\"error\":\"The ");
		assertThat(get("/check").body()).contains("RECORD_WITHOUT_INDEX");
	}

	@Test
	void unknownQueueIsNotFound() throws Exception {
		assertThat(send(request("/nothing", "").POST(HttpRequest.BodyPublishers.ofString("{\"action\":\"repair\"}")))
			.statusCode()).isEqualTo(404);
	}

	private HttpResponse<String> get(String view) throws IOException, InterruptedException {
		return send(request("/" + QUEUE, view).GET());
	}

	private HttpResponse<String> post(String body) throws IOException, InterruptedException {
		return send(request("/" + QUEUE, "").POST(HttpRequest.BodyPublishers.ofString(body)));
	}

	private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
		return this.client.send(request.build(), HttpResponse.BodyHandlers.ofString());
	}

	private HttpRequest.Builder request(String queue, String view) {
		return HttpRequest
			.newBuilder(URI.create("http://localhost:" + this.port + "/actuator/delayqueue" + queue + view))
			.header("Content-Type", "application/json");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
