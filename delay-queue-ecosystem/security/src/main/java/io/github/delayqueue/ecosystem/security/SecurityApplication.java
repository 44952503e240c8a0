package io.github.delayqueue.ecosystem.security;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Profile;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Protected as Spring Boot does it by itself; in the profile {@code operators} as
 * {@code docs/operations/dashboard.md} has it for endpoint and page.
 */
@SpringBootApplication(proxyBeanMethods = false)
class SecurityApplication {

	public static void main(String[] args) {
		SpringApplication.run(SecurityApplication.class, args);
	}

	@Bean
	@Profile("operators")
	SecurityFilterChain security(HttpSecurity http) {
		return http
			.authorizeHttpRequests((requests) -> requests
				.requestMatchers(EndpointRequest.to("delayqueue").withHttpMethod(HttpMethod.POST))
				.hasRole("OPERATOR")
				.requestMatchers(EndpointRequest.to("delayqueue", "delayqueueui"))
				.hasAnyRole("VIEWER", "OPERATOR")
				.anyRequest()
				.authenticated())
			.csrf((csrf) -> csrf.ignoringRequestMatchers(EndpointRequest.to("delayqueue")))
			.formLogin(Customizer.withDefaults())
			.httpBasic(Customizer.withDefaults())
			.build();
	}

}
