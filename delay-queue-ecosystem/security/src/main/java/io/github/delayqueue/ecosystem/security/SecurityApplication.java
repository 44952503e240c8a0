package io.github.delayqueue.ecosystem.security;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Profile;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Protected as Spring Boot does it by itself; in the profile {@code operators} as
 * {@code docs/reference/endpoint.md} has it for the endpoint and
 * {@code docs/operations/dashboard.md} for the page.
 */
@SpringBootApplication(proxyBeanMethods = false)
class SecurityApplication {

	public static void main(String[] args) {
		SpringApplication.run(SecurityApplication.class, args);
	}

	@Bean
	@Order(1)
	@Profile("operators")
	SecurityFilterChain endpoint(HttpSecurity http) {
		return http.securityMatcher(EndpointRequest.to("delayqueue"))
			.authorizeHttpRequests((requests) -> requests.anyRequest().hasRole("OPERATOR"))
			.csrf((csrf) -> csrf.disable())
			.httpBasic(Customizer.withDefaults())
			.build();
	}

	@Bean
	@Order(2)
	@Profile("operators")
	SecurityFilterChain page(HttpSecurity http) {
		return http
			.authorizeHttpRequests((requests) -> requests.requestMatchers("/delay-queue/**")
				.hasRole("OPERATOR")
				.anyRequest()
				.authenticated())
			.formLogin(Customizer.withDefaults())
			.httpBasic(Customizer.withDefaults())
			.build();
	}

}
