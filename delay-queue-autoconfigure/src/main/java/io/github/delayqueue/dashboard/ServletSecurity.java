package io.github.delayqueue.dashboard;

import java.util.HashMap;
import java.util.Map;

import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.security.web.FilterInvocation;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.csrf.CsrfToken;

import io.github.delayqueue.dashboard.DashboardRequest.CsrfHeader;

/**
 * What a servlet application's Spring Security says. Apart, because it may be missing.
 */
final class ServletSecurity {

	private static final Authentication NOBODY = new AnonymousAuthenticationToken("page", "anonymousUser",
			AuthorityUtils.createAuthorityList("ROLE_ANONYMOUS"));

	private ServletSecurity() {
	}

	static @Nullable CsrfHeader token(HttpServletRequest request) {
		return (request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken token)
				? new CsrfHeader(token.getHeaderName(), token.getToken()) : null;
	}

	/** Whether everybody may act on the page: nobody has to log in. */
	static boolean isOpen(EndpointRules rules, String contextPath) {
		ServletContext context = rules.beans().getBeanProvider(ServletContext.class).getIfAvailable();
		return isAllowed(rules, request(context, contextPath, rules.api("POST"), "POST"), NOBODY);
	}

	/**
	 * Whether somebody may not reach the endpoint, although everybody may reach the page.
	 */
	static boolean isRefused(EndpointRules rules, HttpServletRequest request) {
		String endpoint = rules.endpoint();
		if (endpoint == null) {
			return false;
		}
		ServletContext context = request.getServletContext();
		String contextPath = request.getContextPath();
		String method = request.getMethod();
		Authentication user = (request.getUserPrincipal() instanceof Authentication authentication) ? authentication
				: NOBODY;
		return isAllowed(rules, request(context, contextPath, rules.api(method), method), NOBODY)
				&& !isAllowed(rules, request(context, contextPath, endpoint, method), user);
	}

	/**
	 * Ask the filter that would decide. Not a {@code WebInvocationPrivilegeEvaluator},
	 * which takes a chain for some paths for one for all.
	 */
	private static boolean isAllowed(EndpointRules rules, HttpServletRequest request, Authentication user) {
		return rules.beans()
			.getBeanProvider(FilterChainProxy.class)
			.stream()
			.flatMap((proxy) -> proxy.getFilterChains().stream())
			.filter((chain) -> chain.matches(request))
			.findFirst()
			.stream()
			.flatMap((chain) -> chain.getFilters().stream())
			.filter(AuthorizationFilter.class::isInstance)
			.map((filter) -> ((AuthorizationFilter) filter).getAuthorizationManager().authorize(() -> user, request))
			.allMatch((result) -> result == null || result.isGranted());
	}

	private static HttpServletRequest request(@Nullable ServletContext context, String contextPath, String path,
			String method) {
		return new PathRequest(new FilterInvocation(contextPath, path, null, null, method, context).getHttpRequest());
	}

	/** As much of a request as rules by path and method look at. */
	private static final class PathRequest extends HttpServletRequestWrapper {

		private final Map<String, Object> attributes = new HashMap<>();

		PathRequest(HttpServletRequest request) {
			super(request);
		}

		@Override
		public @Nullable Object getAttribute(String name) {
			return this.attributes.get(name);
		}

		@Override
		public void setAttribute(String name, Object value) {
			this.attributes.put(name, value);
		}

		@Override
		public void removeAttribute(String name) {
			this.attributes.remove(name);
		}

	}

}
