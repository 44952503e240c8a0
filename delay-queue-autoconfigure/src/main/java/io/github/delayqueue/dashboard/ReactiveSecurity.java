package io.github.delayqueue.dashboard;

import java.security.Principal;
import java.util.Optional;

import org.springframework.security.core.Authentication;
import org.springframework.security.web.server.csrf.CsrfToken;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;

import io.github.delayqueue.dashboard.DashboardRequest.CsrfHeader;

/**
 * What a reactive application's Spring Security says. Apart, because it may be missing.
 */
final class ReactiveSecurity {

	private static final String ROLE = "ROLE_";

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
				&& authentication.getAuthorities()
					.stream()
					.anyMatch((granted) -> authority.equals(granted.getAuthority()));
	}

}
