package io.github.delayqueue.dashboard;

import org.springframework.boot.WebApplicationType;

/**
 * Tests for {@link ReactiveDashboard}.
 */
class ReactiveDashboardWebIntegrationTests extends AbstractDashboardWebIntegrationTests {

	ReactiveDashboardWebIntegrationTests() {
		super(WebApplicationType.REACTIVE);
	}

}
