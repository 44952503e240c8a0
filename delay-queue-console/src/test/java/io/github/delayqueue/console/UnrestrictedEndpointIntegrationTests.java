package io.github.delayqueue.console;

import java.security.Principal;
import java.time.Duration;
import java.util.Map;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DelayQueueEndpointWebExtension} in a servlet application.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "delay-queue.key-prefix=" + UnrestrictedEndpointIntegrationTests.PREFIX,
				AbstractUnrestrictedEndpointIntegrationTests.PROPERTIES,
				AbstractUnrestrictedEndpointIntegrationTests.UNRESTRICTED,
				AbstractUnrestrictedEndpointIntegrationTests.GROUPS,
				AbstractUnrestrictedEndpointIntegrationTests.SHOW })
class UnrestrictedEndpointIntegrationTests extends AbstractUnrestrictedEndpointIntegrationTests {

	static final String PREFIX = "unrestricted:";

	@Test
	void payloadIsShownToAUserWhoHasLoggedIn() throws Exception {
		this.operations.schedule(QUEUE, "订单 1", Map.of("number", 7), Duration.ofDays(1));
		String path = PATH + "/tasks?id=" + EndpointClient.encode("订单 1");
		assertThat(this.client.getAs("ann", path)).bodyText().endsWith("\"payload\":\"{\\\"number\\\":7}\"}");
		assertThat(this.client.get(path)).bodyText().endsWith("\"payload\":\"******\"}");
	}

	/** Tomcat says so, before the endpoint is asked. */
	@Test
	void queryThatIsNoTextIsABadRequest() {
		assertThat(this.client.get(PATH + "/tasks?id=%ff")).hasStatus(400);
		assertThat(this.client.post(PATH + "?id=%ff", Map.of("action", "cancel"))).hasStatus(400);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Ears.class)
	static class Application {

		@Bean
		Filter user() {
			return (request, response, chain) -> chain.doFilter(new WithUser((HttpServletRequest) request), response);
		}

	}

	/** A request of the user that a header names. */
	static class WithUser extends HttpServletRequestWrapper {

		WithUser(HttpServletRequest request) {
			super(request);
		}

		@Override
		public Principal getUserPrincipal() {
			String user = getHeader(EndpointClient.USER);
			return (user != null) ? () -> user : null;
		}

	}

}
