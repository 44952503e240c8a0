package io.github.delayqueue.console.page;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.http.HttpMethod;
import org.springframework.util.StringUtils;

import static io.github.delayqueue.console.page.DashboardServer.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DelayQueueUiEndpoint} over HTTP: wherever an application has it, it
 * finds the endpoint of the queues.
 */
class DelayQueueUiEndpointIntegrationTests {

	private static final String PAGE = "/actuator/delayqueueui";

	private static final String ALLOWED = "{\"action\":\"allowed\"}";

	private static final String MAPPING = "management.endpoints.web.path-mapping.";

	/** Where its base path is the root: see the tests of its security. */
	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					SERVLET  | /shop/mvc/ops/a/b           | /shop/mvc/ops/c/d/e       | server.servlet.context-path=/shop spring.mvc.servlet.path=/mvc management.endpoints.web.base-path=/ops {}delayqueueui=a/b {}delayqueue=c/d/e
					SERVLET  | /manage/ops/delayqueueui    | /manage/ops/c/d           | management.server.port=0 management.server.base-path=/manage management.endpoints.web.base-path=/ops {}delayqueue=c/d
					REACTIVE | /shop/actuator/a/b          | /shop/actuator/c/d/e      | spring.webflux.base-path=/shop {}delayqueueui=a/b {}delayqueue=c/d/e
					REACTIVE | /manage/actuator/delayqueueui | /manage/actuator/delayqueue | management.server.port=0 management.server.base-path=/manage spring.autoconfigure.exclude=org.springframework.boot.tomcat.autoconfigure.actuate.web.server.TomcatReactiveManagementContextAutoConfiguration
					""")
	void findsTheEndpoint(WebApplicationType type, String page, String endpoint, String properties) {
		String[] all = StringUtils.tokenizeToStringArray(properties.replace("{}", MAPPING), " ");
		try (DashboardServer server = DashboardServer.start(type, Object.class, all)) {
			assertFinds(server, page, endpoint);
			assertThat(server.post(endpoint + "/-", ALLOWED)).hasStatus(405);
		}
	}

	private static void assertFinds(DashboardServer server, String page, String endpoint) {
		assertThat(server.endpoint(page)).isEqualTo(endpoint);
		assertThat(server.endpoint(page + "/")).isEqualTo(endpoint);
		assertThat(server.get(endpoint, "Accept", "application/json")).hasStatus(200).bodyText().contains(QUEUE);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void servesOneDocumentAndNothingElse(WebApplicationType type) {
		try (DashboardServer server = DashboardServer.start(type, Object.class,
				"management.endpoint.delayqueue.access=unrestricted")) {
			assertFinds(server, PAGE, "/actuator/delayqueue");
			assertThat(server.get(PAGE, "Accept", "text/html,application/xhtml+xml")).hasStatus(200)
				.bodyText()
				.doesNotContain(QUEUE, "secret");
			assertThat(server.send(HttpMethod.HEAD, PAGE)).hasStatus(200).bodyText().isEmpty();
			assertThat(server.post(PAGE, "{}")).hasStatus(405);
			for (String path : new String[] { "/app.js", "/a/b", "/index.html" }) {
				assertThat(server.get(PAGE + path)).hasStatus(404);
			}
			assertThat(server.get("/delay-queue/")).hasStatus(404);
			assertThat(server.get("/io/github/delayqueue/console/page/index.html")).hasStatus(404);
			assertAskingWhatIsAllowedChangesNothing(server);
		}
	}

	private static void assertAskingWhatIsAllowedChangesNothing(DashboardServer server) {
		String endpoint = "/actuator/delayqueue/";
		assertThat(server.post(endpoint + "-", ALLOWED)).hasStatus(200).bodyText().isEqualTo(ALLOWED);
		assertThat(server.operations().queues()).containsExactly(QUEUE);
		for (String other : new String[] { "text/plain", "application/x-www-form-urlencoded",
				"text/plain;application/json" }) {
			assertThat(server.post(endpoint + QUEUE, "{\"action\":\"pause\"}", "Content-Type", other)
				.getExchangeResult()
				.getStatus()
				.value()).as(other).isIn(400, 415);
		}
		assertThat(server.operations().stats(QUEUE).paused()).isFalse();
		assertThat(server.post(endpoint + QUEUE, "{\"action\":\"pause\"}")).hasStatus(200);
		assertThat(server.operations().stats(QUEUE).paused()).isTrue();
	}

}
