package io.github.delayqueue.dashboard;

import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ServletDashboard}.
 */
class ServletDashboardWebIntegrationTests extends AbstractDashboardWebIntegrationTests {

	ServletDashboardWebIntegrationTests() {
		super(WebApplicationType.SERVLET);
	}

	@Test
	void pageIsServedBelowThePathOfTheServlet() {
		try (DashboardServer server = DashboardServer.start(WebApplicationType.SERVLET, Object.class,
				"server.servlet.context-path=/shop", "spring.mvc.servlet.path=/mvc")) {
			assertThat(server.get("/shop/mvc/delay-queue")).hasHeader("Location", "delay-queue/");
			assertThat(server.get("/shop/mvc/delay-queue/app.js")).hasStatus(200);
			assertThat(server.get("/shop/mvc/delay-queue/api/about")).bodyText().isEqualTo("{\"writable\":false}");
			assertThat(server.get("/shop/delay-queue/")).hasStatus(404);
		}
	}

	@Test
	void pageIsNotServedUnlessItIsEnabled() {
		try (DashboardServer server = DashboardServer.start(WebApplicationType.SERVLET, Object.class,
				"delay-queue.dashboard.enabled=false")) {
			for (String path : new String[] { "", "/", "/app.js", "/index.html", "/api/queues" }) {
				assertThat(server.get("/delay-queue" + path)).hasStatus(404);
			}
			assertThat(server.get("/io/github/delayqueue/dashboard/index.html")).hasStatus(404);
		}
	}

}
