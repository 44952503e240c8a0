package io.github.delayqueue.dashboard;

import org.springframework.boot.WebApplicationType;

/**
 * Tests for {@link ReactiveDashboard}.
 */
class ReactiveDashboardTests extends AbstractDashboardWebTests {

	ReactiveDashboardTests() {
		super(WebApplicationType.REACTIVE);
	}

}
