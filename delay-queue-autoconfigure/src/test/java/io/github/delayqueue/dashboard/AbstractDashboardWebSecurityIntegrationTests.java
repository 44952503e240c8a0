package io.github.delayqueue.dashboard;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.springframework.boot.WebApplicationType;
import org.springframework.test.web.servlet.client.assertj.RestTestClientResponse;
import tools.jackson.databind.JsonNode;

import io.github.delayqueue.TaskState;

import static io.github.delayqueue.dashboard.DashboardServer.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page of an application that is protected by Spring Security, once as it is by
 * default, once with the CSRF token in a cookie.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class AbstractDashboardWebSecurityIntegrationTests {

	private static final String REDRIVE = "{\"queue\":\"order_timeout\",\"action\":\"redrive\",\"id\":\"%s\"}";

	private final WebApplicationType type;

	private final Class<?> security;

	private final Class<?> securityWithCookie;

	private DashboardServer server;

	// Stopped together: servers of the reactive kind share what one of them would take
	// with it
	private DashboardServer serverWithCookie;

	private final Class<?> openSecurity;

	private DashboardServer openServer;

	private final Class<?> endpointSecurity;

	private DashboardServer endpointServer;

	AbstractDashboardWebSecurityIntegrationTests(WebApplicationType type, Class<?> security,
			Class<?> securityWithCookie, Class<?> openSecurity, Class<?> endpointSecurity) {
		this.type = type;
		this.security = security;
		this.securityWithCookie = securityWithCookie;
		this.openSecurity = openSecurity;
		this.endpointSecurity = endpointSecurity;
	}

	@BeforeAll
	void start() {
		this.server = start(this.security);
		this.serverWithCookie = start(this.securityWithCookie);
		this.openServer = DashboardServer.start(this.type, this.openSecurity,
				"management.endpoints.web.exposure.include=delayqueue",
				"management.endpoint.delayqueue.show-values=when-authorized");
		this.endpointServer = start(this.endpointSecurity);
	}

	private DashboardServer start(Class<?> security) {
		return DashboardServer.start(this.type, security, "management.endpoint.delayqueue.access=unrestricted",
				"management.endpoint.delayqueue.show-values=when-authorized",
				"management.endpoint.delayqueue.roles=ADMIN");
	}

	@AfterAll
	void stop() {
		this.server.close();
		this.serverWithCookie.close();
		this.openServer.close();
		this.endpointServer.close();
	}

	@Test
	void nobodyGetsInWithoutSigningIn() {
		for (String path : new String[] { "", "/", "/app.js", "/api/about", "/api/queues" }) {
			assertThat(this.server.get("/delay-queue" + path)).hasStatus(401);
		}
	}

	@Test
	void writesNeedTheToken() {
		this.server.deadLetter("1", "payload", "no good");
		assertThat(this.server.act("/delay-queue/api/act", REDRIVE.formatted("1"), authorization("ann"))).hasStatus(403)
			.doesNotContainHeader("X-Delay-Queue-Dashboard");
		assertThat(this.server.operations().find(QUEUE, "1").orElseThrow().state()).isEqualTo(TaskState.DEAD);

		JsonNode csrf = this.server.json("/delay-queue/api/about", authorization("ann")).get("csrf");
		assertThat(this.server.act("/delay-queue/api/act", REDRIVE.formatted("1"),
				authorization("ann", csrf.get("header").asString(), csrf.get("token").asString())))
			.hasStatus(200);
		assertThat(this.server.operations().find(QUEUE, "1").orElseThrow().state()).isEqualTo(TaskState.SCHEDULED);
	}

	@Test
	void tokenDoesNotReplaceWhatThePageAsksForItself() {
		JsonNode csrf = this.server.json("/delay-queue/api/about", authorization("ann")).get("csrf");
		assertThat(
				this.server.post("/delay-queue/api/act", REDRIVE.formatted("1"),
						authorization("ann", csrf.get("header").asString(), csrf.get("token").asString(),
								"Content-Type", "application/json")))
			.hasStatus(403)
			.containsHeader("X-Delay-Queue-Dashboard");
	}

	@Test
	void tokenMayBeKeptInACookie() {
		DashboardServer other = this.serverWithCookie;
		other.deadLetter("1", "payload", "no good");
		RestTestClientResponse refused = other.act("/delay-queue/api/act", REDRIVE.formatted("1"),
				authorization("ann"));
		assertThat(refused).hasStatus(403);
		RestTestClientResponse about = other.get("/delay-queue/api/about", authorization("ann"));
		// which of them sets it depends on the kind of the server
		String token = Stream.of(about, refused)
			.flatMap((response) -> response.getExchangeResult()
				.getResponseCookies()
				.getOrDefault("XSRF-TOKEN", List.of())
				.stream())
			.findFirst()
			.orElseThrow()
			.getValue();
		assertThat(
				other.act("/delay-queue/api/act", REDRIVE.formatted("1"), authorization("ann", "X-XSRF-TOKEN", token)))
			.hasStatus(200);
	}

	@Test
	void payloadIsShownToWhoHasTheRole() {
		this.server.deadLetter("2", "secret", "no good");
		String task = "/delay-queue/api/task?queue=order_timeout&id=2";
		assertThat(this.server.json(task, authorization("ann")).get("payload").asString()).isEqualTo("******");
		assertThat(this.server.json(task, authorization("admin")).get("payload").asString()).isEqualTo("\"secret\"");
	}

	@Test
	void whoHasNotLoggedInIsNobodyAndSeesNoPayload() {
		this.openServer.deadLetter("3", "secret", "no good");
		for (String task : new String[] { "/delay-queue/api/task?queue=order_timeout&id=3",
				"/actuator/delayqueue/order_timeout/tasks?id=3" }) {
			assertThat(this.openServer.json(task).get("payload").asString()).as(task).isEqualTo("******");
			assertThat(this.openServer.json(task, authorization("ann")).get("payload").asString()).as(task)
				.isEqualTo("\"secret\"");
		}
	}

	@Test
	void pageWithoutARuleFollowsThatOfTheEndpoint() {
		this.endpointServer.deadLetter("4", "secret", "no good");
		assertThat(this.endpointServer.get("/delay-queue/")).hasStatus(200);
		for (String[] user : new String[][] { {}, authorization("ann") }) {
			assertThat(this.endpointServer.get("/delay-queue/api/queues", user)).hasStatus(403)
				.bodyText()
				.contains("Give the path of the page a rule of its own");
			assertThat(this.endpointServer.act("/delay-queue/api/act", REDRIVE.formatted("4"), user)).hasStatus(403);
		}
		assertThat(this.endpointServer.get("/delay-queue/api/queues", authorization("admin"))).hasStatus(200);
		assertThat(this.endpointServer.act("/delay-queue/api/act", REDRIVE.formatted("4"), authorization("admin")))
			.hasStatus(200);
	}

	private static String[] authorization(String user, String... more) {
		String basic = Base64.getEncoder().encodeToString((user + ":password").getBytes(StandardCharsets.UTF_8));
		String[] headers = new String[more.length + 2];
		headers[0] = "Authorization";
		headers[1] = "Basic " + basic;
		System.arraycopy(more, 0, headers, 2, more.length);
		return headers;
	}

}
