package io.github.delayqueue;

import org.springframework.boot.WebApplicationType;

/**
 * {@link AbstractWebApplicationIntegrationTests} of a reactive application.
 */
class ReactiveApplicationIntegrationTests extends AbstractWebApplicationIntegrationTests {

	ReactiveApplicationIntegrationTests() {
		super(WebApplicationType.REACTIVE);
	}

}
