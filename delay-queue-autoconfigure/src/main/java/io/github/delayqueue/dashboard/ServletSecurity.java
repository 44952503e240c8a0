package io.github.delayqueue.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.security.web.csrf.CsrfToken;

import io.github.delayqueue.dashboard.DashboardRequest.CsrfHeader;

/**
 * What a servlet application's Spring Security says. Apart, because it may be missing.
 */
final class ServletSecurity {

	private ServletSecurity() {
	}

	static @Nullable CsrfHeader token(HttpServletRequest request) {
		return (request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken token)
				? new CsrfHeader(token.getHeaderName(), token.getToken()) : null;
	}

}
