package io.github.delayqueue.dashboard;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.servlet.client.assertj.RestTestClientResponse;
import tools.jackson.databind.JsonNode;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.producer.TaskRequest;

import static io.github.delayqueue.dashboard.DashboardServer.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page as an application serves it, over HTTP: one below a path of its own that
 * allows everything, and one that has set nothing.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class AbstractDashboardWebIntegrationTests {

	private static final String PAGE = "/shop/ops/queues";

	private static final String ACT = PAGE + "/api/act";

	private final WebApplicationType type;

	private DashboardServer server;

	private DashboardServer readOnly;

	AbstractDashboardWebIntegrationTests(WebApplicationType type) {
		this.type = type;
	}

	@BeforeAll
	void start() {
		this.server = DashboardServer.start(this.type, Object.class, "server.servlet.context-path=/shop",
				"spring.webflux.base-path=/shop", "delay-queue.dashboard.path=/ops/queues",
				"management.endpoint.delayqueue.access=unrestricted",
				"management.endpoint.delayqueue.show-values=always",
				"delay-queue.dashboard.allowed-hosts=ops.example.com", "server.forward-headers-strategy=framework");
		this.readOnly = DashboardServer.start(this.type, Object.class);
	}

	@AfterAll
	void stop() {
		this.server.close();
		this.readOnly.close();
	}

	@BeforeEach
	void clear() {
		this.server.operations().clear(QUEUE);
	}

	@Test
	void pageIsServedBelowThePathOfTheApplication() {
		assertThat(this.server.get(PAGE + "/")).hasStatus(200)
			.hasHeader("Content-Type", "text/html;charset=UTF-8")
			.bodyText()
			.contains("<title>Delay Queue</title>");
	}

	@Test
	void withoutItsLastSlashThePageIsRedirectedRelatively() {
		assertThat(this.server.get(PAGE)).hasStatus(302).hasHeader("Location", "queues/");
	}

	@ParameterizedTest
	@CsvSource({ "/index.html, text/html;charset=UTF-8", "/style.css, text/css;charset=UTF-8",
			"/app.js, text/javascript;charset=UTF-8", "/icon.svg, image/svg+xml" })
	void filesHaveTheirTypesAndAreAskedForAgainEachTime(String file, String type) {
		RestTestClientResponse answer = this.server.get(PAGE + file);
		assertThat(answer).hasStatus(200).hasHeader("Content-Type", type).hasHeader("Cache-Control", "no-cache");
		String etag = Objects.requireNonNull(answer.getExchangeResult().getResponseHeaders().getETag());
		assertThat(this.server.get(PAGE + file, "If-None-Match", etag)).hasStatus(304).bodyText().isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/Dashboard.class", "/nothing.js", "/..%2Fapp.js", "/%2e%2e/app.js", "/api", "/api/",
			"/api/nothing", "/a/b", ";a=b/app.js" })
	void whatIsNotThereIsNotFound(String path) {
		assertThat(this.server.get(PAGE + path).getExchangeResult().getStatus().value()).isIn(400, 404);
	}

	@Test
	void pageRunsNothingThatIsNotItsOwnAndIsShownInNoFrame() {
		assertThat(this.server.get(PAGE + "/")).hasHeader("Content-Security-Policy",
				"default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'");
		for (String path : new String[] { "/", "/app.js", "/api/queues", "/api/queue?queue=none" }) {
			assertThat(this.server.get(PAGE + path)).hasHeader("X-Content-Type-Options", "nosniff");
		}
	}

	@Test
	void headIsAnsweredWithoutBody() {
		assertThat(this.server.send(HttpMethod.HEAD, PAGE + "/")).hasStatus(200).bodyText().isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "POST, /", "DELETE, /app.js", "POST, /api/queues", "GET, /api/act", "PUT, /api/act" })
	void otherMethodsAreRefused(String method, String path) {
		assertThat(this.server.send(HttpMethod.valueOf(method), PAGE + path)).hasStatus(405).containsHeader("Allow");
	}

	@Test
	void queuesAndQueueAreShown() {
		this.server.operations().schedule(QUEUE, "1", "payload", Duration.ofHours(2));
		this.server.deadLetter("2", "payload", "no good");
		JsonNode queue = this.server.json(PAGE + "/api/queues").at("/queues/" + QUEUE);
		assertThat(queue.get("scheduled").asInt()).isEqualTo(1);
		assertThat(queue.get("dead").asInt()).isEqualTo(1);
		assertThat(queue.get("oldestDueAge").asString()).isEqualTo("PT0S");
		JsonNode forecast = this.server.json(PAGE + "/api/forecast?range=day&queue=" + QUEUE);
		assertThat(forecast.get("bars").size()).isEqualTo(96);
		assertThat(forecast.at("/highest/tasks").asInt()).isEqualTo(1);
		JsonNode history = this.server.json(PAGE + "/api/history?hours=3&queue=" + QUEUE);
		assertThat(history.at("/hours/0/deadLettered").asInt()).isEqualTo(1);
		JsonNode same = this.server.json(PAGE + "/api/queue?queue=" + QUEUE);
		assertThat(same.get("dead").asInt()).isEqualTo(1);
		assertThat(same.get("listeners").isArray()).isTrue();
		assertThat(this.server.json(PAGE + "/api/instances").get("instances").isArray()).isTrue();
	}

	@Test
	void deadTaskIsListedWithItsReasonAndShownWithItsPayload() {
		this.server.deadLetter("日本/%;& 1", java.util.Map.of("price", 7), "no good");
		JsonNode tasks = this.server.json(PAGE + "/api/tasks?queue=" + QUEUE + "&state=DEAD&limit=10").get("tasks");
		assertThat(tasks.size()).isEqualTo(1);
		assertThat(tasks.at("/0/id").asString()).isEqualTo("日本/%;& 1");
		assertThat(tasks.at("/0/lastFailure/message").asString()).isEqualTo("no good");
		JsonNode task = this.server.json(PAGE + "/api/task?queue=" + QUEUE + "&id=%E6%97%A5%E6%9C%AC%2F%25%3B%26%201");
		assertThat(task.get("state").asString()).isEqualTo("DEAD");
		assertThat(task.get("payload").asString()).isEqualTo("{\"price\":7}");
	}

	@Test
	void tasksAreFoundInAllQueues() {
		this.server.operations().schedule(QUEUE, "日本/%;& 1", "payload", Duration.ofHours(2));
		JsonNode found = this.server.json(PAGE + "/api/find?id=%E6%97%A5%E6%9C%AC%2F%25%3B%26%201");
		assertThat(found.at("/tasks/" + QUEUE + "/0/state").asString()).isEqualTo("SCHEDULED");
		assertThat(found.get("looked")).isEqualTo(found.get("total"));
		assertThat(this.server.json(PAGE + "/api/find?id=none").get("tasks").isEmpty()).isTrue();
		this.server.operations().schedule(TaskRequest.queue(QUEUE).id("hourly").every(Duration.ofHours(1)).build());
		JsonNode recurring = this.server.json(PAGE + "/api/recurring?search=order").at("/tasks/" + QUEUE);
		assertThat(recurring.size()).isEqualTo(1);
		assertThat(recurring.at("/0/nextRuns").size()).isEqualTo(3);
	}

	@ParameterizedTest
	@CsvSource({ "/api/queue?queue=none, 404", "/api/queue, 404", "/api/task?queue=order_timeout&id=none, 404",
			"/api/tasks?queue=order_timeout&limit=501, 400", "/api/tasks?queue=order_timeout&state=LOST, 400",
			"/api/find, 400", "/api/find?id=a&limit=201, 400", "/api/recurring?limit=many, 400",
			"/api/forecast?queue=order_timeout&range=year, 400", "/api/forecast?queue=none, 404",
			"/api/history?queue=order_timeout&hours=200, 400", "/api/history?queue=none, 404", "/api/nothing, 404" })
	void whatCannotBeAnsweredHasAStatusAndASentence(String path, int status) {
		this.server.operations().schedule(QUEUE, "1", "payload", Duration.ofHours(2));
		assertThat(this.server.get(PAGE + path)).hasStatus(status)
			.bodyText()
			.startsWith("{\"error\":\"")
			.hasSizeGreaterThan(20);
	}

	@Test
	void deadTaskIsRedriven() {
		this.server.deadLetter("1", "payload", "no good");
		assertThat(this.server.act(ACT, "{\"queue\":\"order_timeout\",\"action\":\"redrive\",\"id\":\"1\"}"))
			.hasStatus(200)
			.bodyText()
			.isEqualTo("{\"action\":\"redrive\",\"tasks\":1}");
		assertThat(this.server.operations().find(QUEUE, "1").orElseThrow().state()).isEqualTo(TaskState.SCHEDULED);
	}

	@Test
	void numbersAndNullsAreTakenAsArguments() {
		this.server.deadLetter("1", "payload", "no good");
		assertThat(this.server.act(ACT, "{\"queue\":\"order_timeout\",\"action\":\"redrive\",\"id\":null,\"limit\":5}"))
			.hasStatus(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{", "[]", "\"text\"", "{\"queue\":{}}", "{\"queue\":[1]}", "null",
			"{\"queue\":1e99999999999}" })
	void bodyThatIsNoObjectOfTextsIsABadRequest(String body) {
		assertThat(this.server.act(ACT, body)).hasStatus(400);
	}

	@Test
	void bodyThatIsNoTextIsABadRequest() {
		byte[] body = "{\"queue\":\"order_timeout\",\"action\":\"cancel\",\"id\":\"\u00ff\"}"
			.getBytes(StandardCharsets.ISO_8859_1);
		assertThat(this.server.act(ACT, body)).hasStatus(400)
			.bodyText()
			.isEqualTo("{\"error\":\"The body has to be a JSON object of texts and numbers\"}");
	}

	@Test
	void bodyThatIsTooLongIsRefused() {
		String body = "{\"queue\":\"" + "x".repeat(DashboardRequest.MAX_BODY) + "\"}";
		assertThat(this.server.act(ACT, body)).hasStatus(413);
	}

	@Test
	void whatAnotherSiteMakesABrowserSendIsRefused() {
		this.server.deadLetter("1", "payload", "no good");
		String redrive = "{\"queue\":\"order_timeout\",\"action\":\"redrive\",\"id\":\"1\"}";
		String mark = "X-Delay-Queue-Dashboard";
		String json = "application/json";
		assertThat(this.server.post(ACT, redrive, "Content-Type", json)).hasStatus(403);
		assertThat(this.server.post(ACT, redrive, "Content-Type", "text/plain", mark, "1")).hasStatus(403);
		assertThat(this.server.post(ACT, redrive, mark, "1")).hasStatus(403);
		assertThat(this.server.act(ACT, redrive, "Sec-Fetch-Site", "cross-site")).hasStatus(403);
		assertThat(this.server.act(ACT, redrive, "Sec-Fetch-Site", "same-site")).hasStatus(403);
		assertThat(this.server.act(ACT, redrive, "Origin", "http://evil.example")).hasStatus(403);
		assertThat(this.server.act(ACT, redrive, "Origin", "null")).hasStatus(403);
		assertThat(this.server.operations().find(QUEUE, "1").orElseThrow().state()).isEqualTo(TaskState.DEAD);
		String origin = "http://localhost:" + this.server.port();
		assertThat(this.server.act(ACT, redrive, "Origin", origin)).hasStatus(200);
	}

	@ParameterizedTest
	@CsvSource({ "localhost, 200", "127.0.0.1, 200", "[::1], 200", "shop.localhost, 200", "shop, 200",
			"ops.example.com, 200", "OPS.example.com, 200", "evil.example, 403", "localhost.evil.example, 403",
			"127.0.0.1.evil.example, 403", "ops.example.com.evil.example, 403" })
	void queuesAreChangedOnlyByNamesThatNobodyElseCanOwn(String host, int status) throws IOException {
		this.server.deadLetter("1", "payload", "no good");
		String body = "{\"queue\":\"order_timeout\",\"action\":\"redrive\",\"id\":\"1\"}";
		String authority = host + ":" + this.server.port();
		String answer = this.server.raw("POST " + ACT + " HTTP/1.1", "Host: " + authority, "Connection: close",
				"Origin: http://" + authority, "Sec-Fetch-Site: same-origin", "X-Forwarded-Host: localhost",
				"Content-Type: application/json", "X-Delay-Queue-Dashboard: 1", "Content-Length: " + body.length(), "",
				body);
		assertThat(answer).startsWith("HTTP/1.1 " + status);
		if (status == 403) {
			assertThat(answer).contains("delay-queue.dashboard.allowed-hosts");
			assertThat(this.server.operations().find(QUEUE, "1").orElseThrow().state()).isEqualTo(TaskState.DEAD);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "%ff", "%c0%80", "%f8", "a%ffb" })
	@ExtendWith(OutputCaptureExtension.class)
	void idThatIsNoTextIsABadRequestAndNoStackTrace(String id, CapturedOutput output) {
		this.server.deadLetter("1", "payload", "no good");
		assertThat(this.server.get(PAGE + "/api/task?queue=order_timeout&id=" + id)).hasStatus(400)
			.bodyText()
			.isEqualTo("{\"error\":\"The query has to be encoded in UTF-8\"}");
		assertThat(output).doesNotContain("Exception");
	}

	@Test
	void withoutSecurityThereIsNoToken() {
		assertThat(this.server.get(PAGE + "/api/about")).bodyText().isEqualTo("{\"writable\":true}");
	}

	@Test
	void nothingIsChangedAndNoPayloadShownUnlessAllowed() {
		this.readOnly.deadLetter("1", "secret", "no good");
		assertThat(this.readOnly.get("/delay-queue/api/about")).bodyText().isEqualTo("{\"writable\":false}");
		assertThat(this.readOnly.get("/delay-queue/api/task?queue=order_timeout&id=1")).bodyText()
			.contains("******")
			.doesNotContain("secret");
		assertThat(this.readOnly.act("/delay-queue/api/act",
				"{\"queue\":\"order_timeout\",\"action\":\"redrive\",\"id\":\"1\"}"))
			.hasStatus(403)
			.bodyText()
			.contains("management.endpoint.delayqueue.access");
		assertThat(this.readOnly.operations().find(QUEUE, "1").orElseThrow().state()).isEqualTo(TaskState.DEAD);
	}

}
