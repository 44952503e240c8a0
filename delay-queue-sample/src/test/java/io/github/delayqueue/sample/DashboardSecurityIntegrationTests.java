package io.github.delayqueue.sample;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.testsupport.Browser;
import io.github.delayqueue.testsupport.BrowserCondition;
import io.github.delayqueue.testsupport.Heavy;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page in a headless Chromium where Spring Security asks for a name and a password,
 * and for its CSRF token.
 */
@Heavy
@ExtendWith(BrowserCondition.class)
class DashboardSecurityIntegrationTests {

	private static final String QUEUE = "invoices";

	private static Browser browser;

	@BeforeAll
	static void start() {
		browser = Browser.start("en", 1200, 800);
	}

	@AfterAll
	static void stop() {
		browser.close();
	}

	/** The two ways past CSRF protection that the documentation has. */
	@ParameterizedTest
	@ValueSource(classes = { WithoutToken.class, TokenInCookie.class })
	void whoHasSignedInActs(Class<?> security, @TempDir Path dataDir) {
		try (RunningShop shop = RunningShop.start(security, dataDir, "spring.profiles.active=operator")) {
			deadLetter(shop);
			signIn(shop);
			redrive(shop);
			// Nobody is signed in any more
			browser.forgetCookies();
			browser.awaitText("#connection.failed", "You are not signed in");
			browser.click("#connection a");
			browser.type("input[name=username]", "operator");
			browser.open("about:blank");
		}
	}

	@Test
	void nobodyActsWhereTheTokenIsInTheSession(@TempDir Path dataDir) {
		try (RunningShop shop = RunningShop.start(TokenInSession.class, dataDir, "spring.profiles.active=operator")) {
			deadLetter(shop);
			signIn(shop);
			browser.awaitText("#access", "read-only");
			browser.awaitText("tr[data-key=" + QUEUE + "] td.dead a", "1");
			assertThat(browser.count("main [data-action]")).isZero();
			browser.open("about:blank");
		}
	}

	/** In a frame, and from the script of another site, which needs no login here. */
	@Test
	void anotherSiteNeitherShowsThePageNorActs(@TempDir Path dataDir) throws Exception {
		HttpServer site = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
		try (RunningShop shop = RunningShop.start(dataDir, "spring.profiles.active=operator")) {
			deadLetter(shop);
			byte[] html = ("<!doctype html><iframe src='" + shop.url() + "/actuator/delayqueueui'></iframe>")
				.getBytes(StandardCharsets.UTF_8);
			site.createContext("/", (exchange) -> {
				exchange.getResponseHeaders().set("Content-Type", "text/html");
				exchange.sendResponseHeaders(200, html.length);
				exchange.getResponseBody().write(html);
				exchange.close();
			});
			site.start();
			browser.open("http://127.0.0.1:" + site.getAddress().getPort() + "/");
			for (String type : new String[] { "application/json", "text/plain" }) {
				browser.run("return fetch('" + shop.url() + "/actuator/delayqueue/" + QUEUE
						+ "', { method: 'POST', mode: (t => t === 'text/plain' ? 'no-cors' : 'cors')('" + type
						+ "'), headers: { 'Content-Type': '" + type
						+ "' }, body: '{\"action\":\"pause\"}' }).then(() => 'sent', () => 'refused')");
			}
			assertThat(shop.bean(DelayQueueOperations.class).stats(QUEUE).paused()).isFalse();
			browser.open("about:blank");
			// of the same site, so that the test sees what is in the frame
			browser.open(shop.url() + "/actuator/health");
			assertThat(browser.run("""
					const frame = document.createElement('iframe');
					const loaded = new Promise((resolve) => frame.onload = resolve);
					frame.src = '/actuator/delayqueueui';
					document.body.append(frame);
					await loaded;
					await new Promise((resolve) => setTimeout(resolve, 0));
					return frame.contentDocument.body.innerText.trim() + frame.contentDocument.title;
					""")).isEqualTo("Delay Queue");
			browser.open("about:blank");
		}
		finally {
			site.stop(0);
			browser.complaints();
		}
	}

	private static void deadLetter(RunningShop shop) {
		DelayQueueOperations delayQueue = shop.bean(DelayQueueOperations.class);
		delayQueue.schedule(QUEUE, "invoice", "payload", Duration.ZERO);
		delayQueue.poll(QUEUE, 1, Duration.ofMinutes(1)).get(0).deadLetter("no good");
	}

	private static void signIn(RunningShop shop) {
		browser.open(shop.url() + "/actuator/delayqueueui");
		browser.type("input[name=username]", "operator");
		browser.type("input[name=password]", "password");
		browser.click("button[type=submit]");
		browser.awaitText("#connection", "live");
	}

	private static void redrive(RunningShop shop) {
		browser.click("tr[data-key=" + QUEUE + "] td.dead a");
		browser.click("[data-action=redrive]");
		browser.click("#dialog-confirm");
		browser.awaitText("#notice", "Done: Redrive (1)");
		assertThat(shop.bean(DelayQueueOperations.class).find(QUEUE, "invoice").orElseThrow().state())
			.isEqualTo(TaskState.SCHEDULED);
		browser.awaitText("[data-key=changes] tbody tr", "operator Redrive 1 invoice");
	}

	private static SecurityFilterChain chain(HttpSecurity http, Customizer<CsrfConfigurer<HttpSecurity>> csrf) {
		return http.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
			.formLogin(Customizer.withDefaults())
			.httpBasic(Customizer.withDefaults())
			.csrf(csrf)
			.build();
	}

	@EnableWebSecurity
	static class Users {

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(
					User.withUsername("operator").password("{noop}password").roles("OPERATOR").build());
		}

	}

	@TestConfiguration(proxyBeanMethods = false)
	static class WithoutToken extends Users {

		@Bean
		SecurityFilterChain securityFilterChain(HttpSecurity http) {
			return chain(http, (csrf) -> csrf.ignoringRequestMatchers("/actuator/delayqueue/**"));
		}

	}

	@TestConfiguration(proxyBeanMethods = false)
	static class TokenInSession extends Users {

		@Bean
		SecurityFilterChain securityFilterChain(HttpSecurity http) {
			return chain(http, Customizer.withDefaults());
		}

	}

	@TestConfiguration(proxyBeanMethods = false)
	static class TokenInCookie extends Users {

		@Bean
		SecurityFilterChain securityFilterChain(HttpSecurity http) {
			return chain(http, CsrfConfigurer::spa);
		}

	}

}
