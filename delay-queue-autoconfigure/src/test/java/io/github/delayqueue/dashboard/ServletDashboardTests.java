package io.github.delayqueue.dashboard;

import org.springframework.boot.WebApplicationType;

/**
 * Tests for {@link ServletDashboard}.
 */
class ServletDashboardTests extends AbstractDashboardWebTests {

	ServletDashboardTests() {
		super(WebApplicationType.SERVLET);
	}

}
