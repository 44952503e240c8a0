package io.github.delayqueue.console.page;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity.CsrfSpec;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.csrf.CookieServerCsrfTokenRepository;
import org.springframework.security.web.server.csrf.CsrfToken;
import org.springframework.security.web.server.csrf.CsrfWebFilter;
import org.springframework.security.web.server.csrf.ServerCsrfTokenRequestAttributeHandler;
import org.springframework.security.web.server.util.matcher.AndServerWebExchangeMatcher;
import org.springframework.security.web.server.util.matcher.NegatedServerWebExchangeMatcher;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatchers;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Mono;

/**
 * Reactive applications.
 */
class ReactivePageSecurityIntegrationTests extends AbstractPageSecurityIntegrationTests {

	ReactivePageSecurityIntegrationTests() {
		super(WebApplicationType.REACTIVE, Ignoring.class, Cookie.class);
	}

	private static SecurityWebFilterChain chain(ServerHttpSecurity http, Customizer<CsrfSpec> csrf) {
		return http
			.authorizeExchange((exchanges) -> exchanges.pathMatchers(HttpMethod.POST)
				.hasRole("OPERATOR")
				.anyExchange()
				.hasAnyRole("VIEWER", "OPERATOR"))
			.httpBasic(Customizer.withDefaults())
			.csrf(csrf)
			.build();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebFluxSecurity
	static class Users {

		@Bean
		MapReactiveUserDetailsService users() {
			return new MapReactiveUserDetailsService(
					User.withUsername("viewer").password("{noop}password").roles("VIEWER").build(),
					User.withUsername("operator").password("{noop}password").roles("OPERATOR").build(),
					User.withUsername("stranger").password("{noop}password").roles("OTHER").build());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Ignoring extends Users {

		@Bean
		SecurityWebFilterChain securityFilterChain(ServerHttpSecurity http) {
			return chain(http, (csrf) -> csrf.requireCsrfProtectionMatcher(new AndServerWebExchangeMatcher(
					CsrfWebFilter.DEFAULT_CSRF_MATCHER,
					new NegatedServerWebExchangeMatcher(ServerWebExchangeMatchers.pathMatchers("/delayqueue/**")))));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Cookie extends Users {

		@Bean
		SecurityWebFilterChain securityFilterChain(ServerHttpSecurity http) {
			return chain(http, (csrf) -> csrf.csrfTokenRepository(CookieServerCsrfTokenRepository.withHttpOnlyFalse())
				.csrfTokenRequestHandler(new ServerCsrfTokenRequestAttributeHandler()));
		}

		@Bean
		WebFilter sendsTheToken() {
			return (exchange, chain) -> {
				Mono<CsrfToken> token = exchange.getAttributeOrDefault(CsrfToken.class.getName(), Mono.empty());
				return token.then(chain.filter(exchange));
			};
		}

	}

}
