package io.github.delayqueue.dashboard;

import java.security.Principal;
import java.util.Optional;

import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.authorization.AuthorizationWebFilter;
import org.springframework.security.web.server.csrf.CsrfToken;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import io.github.delayqueue.dashboard.DashboardRequest.CsrfHeader;

/**
 * What a reactive application's Spring Security says. Apart, because it may be missing.
 */
final class ReactiveSecurity {

	private static final String ROLE = "ROLE_";

	private static final Authentication NOBODY = new AnonymousAuthenticationToken("page", "anonymousUser",
			AuthorityUtils.createAuthorityList("ROLE_ANONYMOUS"));

	private ReactiveSecurity() {
	}

	static Mono<Optional<CsrfHeader>> token(ServerRequest request) {
		Mono<CsrfToken> token = request.exchange().getAttributeOrDefault(CsrfToken.class.getName(), Mono.empty());
		return token.map((known) -> Optional.of(new CsrfHeader(known.getHeaderName(), known.getToken())))
			.defaultIfEmpty(Optional.empty());
	}

	static boolean hasRole(Principal principal, String role) {
		String authority = role.startsWith(ROLE) ? role : ROLE + role;
		return principal instanceof Authentication authentication && authentication.isAuthenticated()
				&& AuthorityUtils.authorityListToSet(authentication.getAuthorities()).contains(authority);
	}

	static boolean isOpen(EndpointRules rules) {
		return rules.beans().getBeanProvider(SecurityWebFilterChain.class).stream().findAny().isEmpty();
	}

	/**
	 * Whether somebody may not reach the endpoint, although everybody may reach the page:
	 * asks the filters that would decide, as if the endpoint were called.
	 * @param rules where they are
	 */
	static Mono<Boolean> isRefused(EndpointRules rules, ServerRequest request) {
		String endpoint = rules.endpoint();
		if (endpoint == null) {
			return Mono.just(false);
		}
		Mono<Boolean> everybody = isAllowed(rules, request, rules.api(request.method().name()))
			.contextWrite(ReactiveSecurityContextHolder.withAuthentication(NOBODY));
		return everybody.flatMap(
				(open) -> open ? isAllowed(rules, request, endpoint).map((allowed) -> !allowed) : Mono.just(false));
	}

	private static Mono<Boolean> isAllowed(EndpointRules rules, ServerRequest request, String path) {
		ServerWebExchange exchange = request.exchange();
		ServerWebExchange other = exchange.mutate()
			.request((builder) -> builder.path(exchange.getRequest().getPath().contextPath().value() + path))
			.build();
		return Flux.fromStream(() -> rules.beans().getBeanProvider(SecurityWebFilterChain.class).orderedStream())
			.filterWhen((chain) -> chain.matches(other))
			.next()
			.flatMapMany(SecurityWebFilterChain::getWebFilters)
			.ofType(AuthorizationWebFilter.class)
			.concatMap((filter) -> filter.filter(other, (passed) -> Mono.empty()))
			.then(Mono.just(true))
			.onErrorResume(
					(error) -> error instanceof AccessDeniedException || error instanceof AuthenticationException,
					(error) -> Mono.just(false));
	}

}
