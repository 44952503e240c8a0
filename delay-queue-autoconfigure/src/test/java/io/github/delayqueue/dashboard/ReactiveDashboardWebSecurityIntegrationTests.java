package io.github.delayqueue.dashboard;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity.CsrfSpec;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.csrf.CookieServerCsrfTokenRepository;
import org.springframework.security.web.server.csrf.ServerCsrfTokenRequestAttributeHandler;

/**
 * Tests for {@link ReactiveDashboard} and {@link ReactiveSecurity}.
 */
class ReactiveDashboardWebSecurityIntegrationTests extends AbstractDashboardWebSecurityIntegrationTests {

	ReactiveDashboardWebSecurityIntegrationTests() {
		super(WebApplicationType.REACTIVE, Security.class, SecurityWithCookie.class, OpenSecurity.class,
				EndpointSecurity.class);
	}

	private static SecurityWebFilterChain chain(ServerHttpSecurity http, Customizer<CsrfSpec> csrf) {
		return http.authorizeExchange((exchanges) -> exchanges.anyExchange().authenticated())
			.httpBasic(Customizer.withDefaults())
			.csrf(csrf)
			.build();
	}

	private static MapReactiveUserDetailsService twoUsers() {
		return new MapReactiveUserDetailsService(
				User.withUsername("ann").password("{noop}password").roles("USER").build(),
				User.withUsername("admin").password("{noop}password").roles("ADMIN").build());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebFluxSecurity
	static class Security {

		@Bean
		SecurityWebFilterChain securityFilterChain(ServerHttpSecurity http) {
			return chain(http, Customizer.withDefaults());
		}

		@Bean
		MapReactiveUserDetailsService users() {
			return twoUsers();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebFluxSecurity
	static class SecurityWithCookie {

		@Bean
		SecurityWebFilterChain securityFilterChain(ServerHttpSecurity http) {
			return chain(http, (csrf) -> csrf.csrfTokenRepository(CookieServerCsrfTokenRepository.withHttpOnlyFalse())
				.csrfTokenRequestHandler(new ServerCsrfTokenRequestAttributeHandler()));
		}

		@Bean
		MapReactiveUserDetailsService users() {
			return twoUsers();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebFluxSecurity
	static class OpenSecurity {

		@Bean
		SecurityWebFilterChain securityFilterChain(ServerHttpSecurity http) {
			return http.authorizeExchange((exchanges) -> exchanges.anyExchange().permitAll())
				.anonymous(Customizer.withDefaults())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

		@Bean
		MapReactiveUserDetailsService users() {
			return twoUsers();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebFluxSecurity
	static class EndpointSecurity {

		@Bean
		SecurityWebFilterChain securityFilterChain(ServerHttpSecurity http) {
			return http.authorizeExchange(
					(exchanges) -> exchanges.pathMatchers("/actuator/**").hasRole("ADMIN").anyExchange().permitAll())
				.httpBasic(Customizer.withDefaults())
				.csrf(CsrfSpec::disable)
				.build();
		}

		@Bean
		MapReactiveUserDetailsService users() {
			return twoUsers();
		}

	}

}
