package io.github.delayqueue.console.page;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Servlet applications.
 */
class ServletPageSecurityIntegrationTests extends AbstractPageSecurityIntegrationTests {

	ServletPageSecurityIntegrationTests() {
		super(WebApplicationType.SERVLET, Ignoring.class, Cookie.class);
	}

	private static SecurityFilterChain chain(HttpSecurity http, Customizer<CsrfConfigurer<HttpSecurity>> csrf) {
		return http
			.authorizeHttpRequests((requests) -> requests.requestMatchers(HttpMethod.POST)
				.hasRole("OPERATOR")
				.anyRequest()
				.hasAnyRole("VIEWER", "OPERATOR"))
			.httpBasic(Customizer.withDefaults())
			.csrf(csrf)
			.build();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebSecurity
	static class Users {

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(
					User.withUsername("viewer").password("{noop}password").roles("VIEWER").build(),
					User.withUsername("operator").password("{noop}password").roles("OPERATOR").build(),
					User.withUsername("stranger").password("{noop}password").roles("OTHER").build());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Ignoring extends Users {

		@Bean
		SecurityFilterChain securityFilterChain(HttpSecurity http) {
			return chain(http, (csrf) -> csrf.ignoringRequestMatchers("/delayqueue/**"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Cookie extends Users {

		@Bean
		SecurityFilterChain securityFilterChain(HttpSecurity http) {
			return chain(http, CsrfConfigurer::spa);
		}

	}

}
