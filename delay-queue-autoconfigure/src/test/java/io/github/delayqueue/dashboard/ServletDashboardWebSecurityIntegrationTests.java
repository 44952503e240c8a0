package io.github.delayqueue.dashboard;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Tests for {@link ServletDashboard} and {@link ServletSecurity}.
 */
class ServletDashboardWebSecurityIntegrationTests extends AbstractDashboardWebSecurityIntegrationTests {

	ServletDashboardWebSecurityIntegrationTests() {
		super(WebApplicationType.SERVLET, Security.class, SecurityWithCookie.class, OpenSecurity.class,
				EndpointSecurity.class);
	}

	private static SecurityFilterChain chain(HttpSecurity http, Customizer<CsrfConfigurer<HttpSecurity>> csrf) {
		return http.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
			.httpBasic(Customizer.withDefaults())
			.csrf(csrf)
			.build();
	}

	private static UserDetailsService twoUsers() {
		return new InMemoryUserDetailsManager(User.withUsername("ann").password("{noop}password").roles("USER").build(),
				User.withUsername("admin").password("{noop}password").roles("ADMIN").build());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebSecurity
	static class Security {

		@Bean
		SecurityFilterChain securityFilterChain(HttpSecurity http) {
			return chain(http, Customizer.withDefaults());
		}

		@Bean
		UserDetailsService users() {
			return twoUsers();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebSecurity
	static class SecurityWithCookie {

		@Bean
		SecurityFilterChain securityFilterChain(HttpSecurity http) {
			return chain(http, CsrfConfigurer::spa);
		}

		@Bean
		UserDetailsService users() {
			return twoUsers();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebSecurity
	static class OpenSecurity {

		@Bean
		SecurityFilterChain securityFilterChain(HttpSecurity http) {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.anonymous(Customizer.withDefaults())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

		@Bean
		UserDetailsService users() {
			return twoUsers();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebSecurity
	static class EndpointSecurity {

		@Bean
		SecurityFilterChain securityFilterChain(HttpSecurity http) {
			return http.authorizeHttpRequests(
					(requests) -> requests.requestMatchers("/actuator/**").hasRole("ADMIN").anyRequest().permitAll())
				.httpBasic(Customizer.withDefaults())
				.csrf(CsrfConfigurer::disable)
				.build();
		}

		@Bean
		UserDetailsService users() {
			return twoUsers();
		}

	}

}
