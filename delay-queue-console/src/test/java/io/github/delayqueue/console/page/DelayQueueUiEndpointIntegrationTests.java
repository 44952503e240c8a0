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

	private static final String MAPPING = "management.endpoints.web.path-mapping.";

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					SERVLET  | /actuator/delayqueueui      | /actuator/delayqueue      |
					SERVLET  | /actuator/a/b               | /actuator/c/d/e           | {}delayqueueui=a/b {}delayqueue=c/d/e
					SERVLET  | /ops/page                   | /ops/queues               | management.endpoints.web.base-path=/ops {}delayqueueui=page {}delayqueue=queues
					SERVLET  | /delayqueueui               | /delayqueue               | management.endpoints.web.base-path=/
					SERVLET  | /shop/mvc/actuator/a/b      | /shop/mvc/actuator/delayqueue | server.servlet.context-path=/shop spring.mvc.servlet.path=/mvc {}delayqueueui=a/b
					SERVLET  | /manage/ops/delayqueueui    | /manage/ops/c/d           | management.server.port=0 management.server.base-path=/manage management.endpoints.web.base-path=/ops {}delayqueue=c/d
					REACTIVE | /actuator/delayqueueui      | /actuator/delayqueue      |
					REACTIVE | /shop/actuator/a/b          | /shop/actuator/c/d/e      | spring.webflux.base-path=/shop {}delayqueueui=a/b {}delayqueue=c/d/e
					REACTIVE | /delayqueueui               | /delayqueue               | management.endpoints.web.base-path=/
					REACTIVE | /manage/actuator/delayqueueui | /manage/actuator/delayqueue | management.server.port=0 management.server.base-path=/manage spring.autoconfigure.exclude=org.springframework.boot.tomcat.autoconfigure.actuate.web.server.TomcatReactiveManagementContextAutoConfiguration
					""")
	void findsTheEndpoint(WebApplicationType type, String page, String endpoint, String properties) {
		String[] all = StringUtils.tokenizeToStringArray((properties != null) ? properties.replace("{}", MAPPING) : "",
				" ");
		try (DashboardServer server = DashboardServer.start(type, Object.class, all)) {
			assertThat(server.endpoint(page)).isEqualTo(endpoint);
			assertThat(server.endpoint(page + "/")).isEqualTo(endpoint);
			assertThat(server.get(endpoint, "Accept", "application/json")).hasStatus(200).bodyText().contains(QUEUE);
			assertThat(server.post(endpoint + "/-", "{\"action\":\"allowed\"}")).hasStatus(405);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void servesOneDocumentAndNothingElse(WebApplicationType type) {
		try (DashboardServer server = DashboardServer.start(type, Object.class)) {
			String page = "/actuator/delayqueueui";
			assertThat(server.get(page, "Accept", "text/html,application/xhtml+xml")).hasStatus(200)
				.bodyText()
				.doesNotContain(QUEUE, "secret");
			assertThat(server.send(HttpMethod.HEAD, page)).hasStatus(200).bodyText().isEmpty();
			assertThat(server.post(page, "{}")).hasStatus(405);
			for (String path : new String[] { "/app.js", "/a/b", "/index.html" }) {
				assertThat(server.get(page + path)).hasStatus(404);
			}
			assertThat(server.get("/delay-queue/")).hasStatus(404);
			assertThat(server.get("/io/github/delayqueue/console/page/index.html")).hasStatus(404);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void askingWhatIsAllowedChangesNothing(WebApplicationType type) {
		try (DashboardServer server = DashboardServer.start(type, Object.class,
				"management.endpoint.delayqueue.access=unrestricted")) {
			String endpoint = "/actuator/delayqueue/";
			assertThat(server.post(endpoint + "-", "{\"action\":\"allowed\"}")).hasStatus(200)
				.bodyText()
				.isEqualTo("{\"action\":\"allowed\"}");
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

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void withoutTheEndpointItKnowsNoAddress(WebApplicationType type) {
		try (DashboardServer server = DashboardServer.start(type, Object.class,
				"management.endpoints.web.exposure.include=delayqueueui")) {
			assertThat(server.get("/actuator/delayqueueui")).bodyText()
				.contains("<meta name=\"endpoint\" content=\"\">");
		}
	}

}
