package io.github.delayqueue.dashboard;

import java.io.IOException;
import java.security.Principal;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Serves the page from a servlet application. Public for wiring.
 */
public final class ServletDashboard implements HandlerFunction<ServerResponse> {

	static final String CSRF_TOKEN = "org.springframework.security.web.csrf.CsrfToken";

	private static final boolean SECURITY = ClassUtils.isPresent(CSRF_TOKEN, ServletDashboard.class.getClassLoader());

	private final Dashboard dashboard;

	private final EndpointRules rules;

	private ServletDashboard(Dashboard dashboard, EndpointRules rules) {
		this.dashboard = dashboard;
		this.rules = rules;
	}

	/** Routes to the page, which is served where the rules say. */
	public static RouterFunction<ServerResponse> routes(Dashboard dashboard, EndpointRules rules) {
		return RouterFunctions.route(RequestPredicates.path(rules.page() + "/**"),
				new ServletDashboard(dashboard, rules));
	}

	/**
	 * Whether everybody who reaches the application may act on the page: Spring Security
	 * asks nobody to log in, or is missing.
	 */
	public static boolean isOpen(EndpointRules rules, String contextPath) {
		return !SECURITY || ServletSecurity.isOpen(rules, contextPath);
	}

	@Override
	public ServerResponse handle(ServerRequest request) throws IOException {
		String path = request.requestPath().pathWithinApplication().value().substring(this.rules.page().length());
		HttpServletRequest servletRequest = request.servletRequest();
		DashboardResponse answer = Dashboard.isReadable(servletRequest.getQueryString())
				? answer(request, servletRequest, path) : this.dashboard.unreadable();
		return ServerResponse.status(answer.status())
			.headers((headers) -> answer.headers().forEach(headers::put))
			.build((ignored, response) -> {
				// Not by a converter: the application may have left out that of bytes
				response.getOutputStream().write(answer.body());
				return null;
			});
	}

	private DashboardResponse answer(ServerRequest request, HttpServletRequest servletRequest, String path)
			throws IOException {
		byte[] body = servletRequest.getInputStream().readNBytes(DashboardRequest.MAX_BODY + 1);
		if (SECURITY && Dashboard.isApi(path) && ServletSecurity.isRefused(this.rules, servletRequest)) {
			return this.dashboard.refuse();
		}
		return this.dashboard.handle(new DashboardRequest(request.method().name(), path, request.uri(),
				request.headers().asHttpHeaders(), request.params().toSingleValueMap(),
				(body.length <= DashboardRequest.MAX_BODY) ? body : null, new ServletUser(servletRequest),
				(SECURITY && DashboardRequest.ABOUT.equals(path)) ? ServletSecurity.token(servletRequest) : null));
	}

	private record ServletUser(HttpServletRequest request) implements SecurityContext {

		@Override
		public @Nullable Principal getPrincipal() {
			return this.request.getUserPrincipal();
		}

		@Override
		public boolean isUserInRole(String role) {
			return this.request.isUserInRole(role);
		}

	}

}
