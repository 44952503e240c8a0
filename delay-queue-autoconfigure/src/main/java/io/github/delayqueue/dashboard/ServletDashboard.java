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

	private final String path;

	private ServletDashboard(Dashboard dashboard, String path) {
		this.dashboard = dashboard;
		this.path = path;
	}

	/**
	 * Routes to the page.
	 * @param dashboard the page
	 * @param path where it is served, below the path of the application
	 * @return the routes
	 */
	public static RouterFunction<ServerResponse> routes(Dashboard dashboard, String path) {
		return RouterFunctions.route(RequestPredicates.path(path + "/**"), new ServletDashboard(dashboard, path));
	}

	@Override
	public ServerResponse handle(ServerRequest request) throws IOException {
		String path = request.requestPath().pathWithinApplication().value().substring(this.path.length());
		HttpServletRequest servletRequest = request.servletRequest();
		byte[] body = servletRequest.getInputStream().readNBytes(DashboardRequest.MAX_BODY + 1);
		DashboardResponse answer = this.dashboard.handle(new DashboardRequest(request.method().name(), path,
				request.uri(), request.headers().asHttpHeaders(), request.params().toSingleValueMap(),
				(body.length <= DashboardRequest.MAX_BODY) ? body : null, new ServletUser(servletRequest),
				(SECURITY && DashboardRequest.ABOUT.equals(path)) ? ServletSecurity.token(servletRequest) : null));
		return ServerResponse.status(answer.status())
			.headers((headers) -> headers.putAll(answer.headers()))
			.build((ignored, response) -> {
				// Not by a converter: the application may have left out that of bytes
				response.getOutputStream().write(answer.body());
				return null;
			});
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
