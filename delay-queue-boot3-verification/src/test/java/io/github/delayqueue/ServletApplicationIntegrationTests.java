package io.github.delayqueue;

import java.time.Duration;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.autoconfigure.security.servlet.EndpointRequest;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.web.csrf.CookieCsrfTokenRepository;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.security.web.csrf.CsrfTokenRequestAttributeHandler;
import org.springframework.security.web.csrf.HttpSessionCsrfTokenRepository;
import org.springframework.security.web.util.matcher.AndRequestMatcher;
import org.springframework.security.web.util.matcher.NegatedRequestMatcher;

import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.testsupport.Browser;
import io.github.delayqueue.testsupport.BrowserCondition;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@link AbstractWebApplicationIntegrationTests} of a servlet application, and its page
 * in a browser.
 */
class ServletApplicationIntegrationTests extends AbstractWebApplicationIntegrationTests {

	@AutoClose
	private Browser browser;

	ServletApplicationIntegrationTests() {
		super(WebApplicationType.SERVLET);
	}

	/** One for all tests that need it. */
	private Browser browser() {
		if (this.browser == null) {
			this.browser = Browser.start("en", 1200, 800);
		}
		return this.browser;
	}

	@Test
	@ExtendWith(BrowserCondition.class)
	void deadTaskIsSeenAndRedrivenInTheBrowser() {
		operations().delete("refused", TaskState.DEAD, 100);
		operations().schedule("refused", "seen", null, Duration.ZERO);
		Browser browser = browser();
		browser.open(address() + "/actuator/ops/page");
		browser.awaitText("tr[data-key=refused] td.dead a", "1");
		browser.click("tr[data-key=refused] td.dead a");
		browser.click("tr[data-key=seen] a");
		browser.awaitText("[data-key=lastError]", "IllegalStateException");
		browser.click("[data-action=redrive]");
		browser.click("#dialog-confirm");
		browser.awaitText("#notice", "Done: Redrive (1)");
		assertThat(browser.complaints()).isEmpty();
		browser.open("about:blank");
	}

	/** The two ways past CSRF protection that the documentation has. */
	@ParameterizedTest
	@ValueSource(classes = { TokenInCookie.class, WithoutToken.class })
	@ExtendWith(BrowserCondition.class)
	void operatorActsOnThePageOfAnApplicationWithCsrfProtection(Class<?> security) {
		try (ConfigurableApplicationContext other = new SpringApplicationBuilder(Application.class, security)
			.web(WebApplicationType.SERVLET)
			.run("--server.port=0", RedisServer.shared().argument(), "--management.endpoints.web.exposure.include=*",
					"--management.endpoint.delayqueue.access=unrestricted", "--delay-queue.key-prefix=csrf:",
					"--spring.datasource.generate-unique-name=true")) {
			Browser browser = browser();
			DelayQueueOperations operations = other.getBean(DelayQueueOperations.class);
			operations.schedule("waiting", "a", null, Duration.ofDays(1));
			browser.open("http://localhost:" + other.getEnvironment().getProperty("local.server.port")
					+ "/actuator/delayqueueui#/task?queue=waiting&id=a");
			browser.click("[data-action=cancel]");
			browser.click("#dialog-confirm");
			browser.awaitText("#notice", "Done: Cancel task");
			assertThat(operations.find("waiting", "a")).isEmpty();
			browser.open("about:blank");
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class TokenInCookie {

		@Bean
		CsrfFilter csrfFilter() {
			CsrfFilter filter = new CsrfFilter(CookieCsrfTokenRepository.withHttpOnlyFalse());
			filter.setRequestHandler(new CsrfTokenRequestAttributeHandler());
			return filter;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class WithoutToken {

		@Bean
		CsrfFilter csrfFilter() {
			CsrfFilter filter = new CsrfFilter(new HttpSessionCsrfTokenRepository());
			filter.setRequireCsrfProtectionMatcher(new AndRequestMatcher(CsrfFilter.DEFAULT_CSRF_MATCHER,
					new NegatedRequestMatcher(EndpointRequest.to("delayqueue"))));
			return filter;
		}

	}

}
