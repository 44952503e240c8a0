package io.github.delayqueue.console;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DelayQueueEndpointWebExtension} in a reactive application, to which
 * nobody is known who asks: that takes Spring Security there.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = { "spring.main.web-application-type=reactive",
		"delay-queue.key-prefix=" + UnrestrictedReactiveEndpointIntegrationTests.PREFIX,
		AbstractUnrestrictedEndpointIntegrationTests.PROPERTIES,
		AbstractUnrestrictedEndpointIntegrationTests.UNRESTRICTED, AbstractUnrestrictedEndpointIntegrationTests.GROUPS,
		AbstractUnrestrictedEndpointIntegrationTests.SHOW })
class UnrestrictedReactiveEndpointIntegrationTests extends AbstractUnrestrictedEndpointIntegrationTests {

	static final String PREFIX = "unrestricted-reactive:";

	@Test
	void whatIsNoTextIsReadAsReplacementCharacters() {
		assertThat(this.client.get(PATH + "/tasks?id=%ff")).bodyText()
			.isEqualTo("{\"error\":\"Queue 'operated' has no task '\ufffd'\"}");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Ears.class)
	static class Application {

	}

}
