package io.github.delayqueue.console.page;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.springframework.boot.WebApplicationType;
import org.springframework.test.web.servlet.client.assertj.RestTestClientResponse;

import static io.github.delayqueue.console.page.DashboardServer.QUEUE;
import static io.github.delayqueue.console.page.DashboardServer.authorization;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Page, data and actions have one door: viewers look, operators act. The base path is the
 * root, where a rule by path would miss.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class AbstractPageSecurityIntegrationTests {

	private static final String PAGE = "/delayqueueui";

	private static final String PATH = "/delayqueue/" + QUEUE;

	private static final String PAUSE = "{\"action\":\"pause\"}";

	private static final String ALLOWED = "{\"action\":\"allowed\"}";

	private final WebApplicationType type;

	private final Class<?> ignoring;

	private final Class<?> cookie;

	private DashboardServer server;

	/** Wants a token. */
	private DashboardServer other;

	AbstractPageSecurityIntegrationTests(WebApplicationType type, Class<?> ignoring, Class<?> cookie) {
		this.type = type;
		this.ignoring = ignoring;
		this.cookie = cookie;
	}

	private DashboardServer start(Class<?> security) {
		return DashboardServer.start(this.type, security, "management.endpoints.web.base-path=/",
				"management.endpoint.delayqueue.access=unrestricted",
				"management.endpoint.delayqueue.show-values=when-authorized",
				"management.endpoint.delayqueue.roles=OPERATOR");
	}

	@BeforeAll
	void start() {
		this.server = start(this.ignoring);
		this.other = start(this.cookie);
	}

	@AfterAll
	void stop() {
		this.server.close();
		this.other.close();
	}

	@Test
	void whoIsNobodyGetsNothing() {
		for (String path : new String[] { PAGE, PAGE + "/", "/delayqueue", PATH, PATH + "/tasks?id=1",
				PATH + "/tasks/1" }) {
			assertThat(this.server.get(path)).hasStatus(401);
			assertThat(this.server.get(path, authorization("stranger"))).hasStatus(403);
		}
		assertThat(this.server.post(PATH, PAUSE)).hasStatus(401);
		assertThat(this.server.post(PATH, PAUSE, authorization("stranger"))).hasStatus(403);
	}

	@Test
	void viewerLooksAndOperatorActs() {
		for (String page : new String[] { PAGE, PAGE + "/" }) {
			assertThat(this.server.endpoint(page, authorization("viewer"))).isEqualTo("/delayqueue");
		}
		assertThat(this.server.get(PATH + "/tasks?id=1", authorization("viewer"))).hasStatus(200)
			.bodyText()
			.contains("******")
			.doesNotContain("secret");
		assertThat(this.server.get(PATH + "/search?text=ecre", authorization("viewer"))).hasStatus(403);
		assertThat(this.server.get(PATH + "/search?text=ecre", authorization("operator"))).bodyText()
			.contains("\"id\":\"1\"")
			.doesNotContain("secret");
		assertThat(this.server.post(PATH, ALLOWED, authorization("viewer"))).hasStatus(403);
		assertThat(this.server.post(PATH, PAUSE, authorization("viewer"))).hasStatus(403);
		assertThat(this.server.operations().stats(QUEUE).paused()).isFalse();
		assertThat(this.server.get(PATH + "/tasks/1", authorization("operator"))).bodyText().contains("secret");
		assertThat(this.server.post(PATH, ALLOWED, authorization("operator"))).hasStatus(200);
		assertThat(this.server.post(PATH, PAUSE, authorization("operator"))).hasStatus(200);
		assertThat(this.server.operations().stats(QUEUE).paused()).isTrue();
		this.server.operations().resume(QUEUE);
	}

	@Test
	void sessionThatHasEndedIsNoFormAndNoDialog() throws IOException {
		assertThat(this.server.raw("GET /delayqueue HTTP/1.1", "X-Requested-With: XMLHttpRequest"))
			.startsWith("HTTP/1.1 401")
			.doesNotContainIgnoringCase("WWW-Authenticate");
	}

	@Test
	void operatorActsWithTheTokenOfTheCookie() {
		RestTestClientResponse refused = this.other.post(PATH, PAUSE, authorization("operator"));
		assertThat(refused).hasStatus(403);
		// which of them sets it depends on the kind of the server
		String token = Stream.of(refused, this.other.get("/delayqueue", authorization("operator")))
			.flatMap((answer) -> answer.getExchangeResult()
				.getResponseCookies()
				.getOrDefault("XSRF-TOKEN", List.of())
				.stream())
			.findFirst()
			.orElseThrow()
			.getValue();
		assertThat(this.other.operations().stats(QUEUE).paused()).isFalse();
		assertThat(this.other.post(PATH, PAUSE,
				authorization("operator", "Cookie", "XSRF-TOKEN=" + token, "X-XSRF-TOKEN", token)))
			.hasStatus(200);
		assertThat(this.other.operations().stats(QUEUE).paused()).isTrue();
	}

}
