package io.github.delayqueue.dashboard;

import java.net.URI;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.http.HttpHeaders;

/**
 * A request to the page, as either web stack has received it.
 *
 * @param method the HTTP method
 * @param path where to, below the path of the page: empty, or beginning with a slash
 * @param uri what the client called, as the application sees it
 * @param headers the headers
 * @param parameters the query parameters, the first value of each
 * @param body the body, empty if there is none, {@code null} if it was too long
 * @param user who asks
 * @param csrfToken the application's token for writes, {@code null} if it has none or the
 * request does not need it
 */
record DashboardRequest(String method, String path, URI uri, HttpHeaders headers, Map<String, String> parameters,
		byte @Nullable [] body, SecurityContext user, @Nullable CsrfHeader csrfToken) {

	/** Largest body that is read. */
	static final int MAX_BODY = 16 * 1024;

	/** Where the page asks for the token. */
	static final String ABOUT = "/api/about";

	boolean reads() {
		return "GET".equals(this.method) || "HEAD".equals(this.method);
	}

	/**
	 * What a write has to bring along, so that the application's protection against
	 * cross-site request forgery lets it pass.
	 *
	 * @param header name of the header
	 * @param token its value
	 */
	record CsrfHeader(String header, String token) {

	}

}
