package io.github.delayqueue.dashboard;

import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;

import io.github.delayqueue.Names;

/**
 * Tells writes of the page from those that another site makes a user's browser send. It
 * holds whether or not the application has a protection of its own: that one comes before
 * it.
 * <p>
 * Another site can send neither JSON nor a header of its own without asking first, which
 * is refused unless the application has allowed it (CORS). For where it has, browsers say
 * where a request comes from. A site whose name resolves to this machine is no other one
 * to a browser, hence {@link AllowedHosts}.
 */
final class SameOrigin {

	private SameOrigin() {
	}

	/**
	 * Look at a write.
	 * @param hosts by which names the application may be called by who has not logged in
	 * @param known whether somebody has logged in: a browser does so for a single name
	 * @return why it is refused, {@code null} if it is not
	 */
	static @Nullable String objection(DashboardRequest request, AllowedHosts hosts, boolean known) {
		HttpHeaders headers = request.headers();
		String host = host(request);
		if (!known && !hosts.contains(host)) {
			return "Queues cannot be changed under the host name '" + Names.printable(host)
					+ "': another site may have made it resolve to this machine. If it is yours, add it to "
					+ "delay-queue.dashboard.allowed-hosts, or require a login by Spring Security";
		}
		if (headers.getFirst(DashboardResponse.MARK) == null) {
			return "The header " + DashboardResponse.MARK + " is missing";
		}
		if (!isJson(headers.getFirst(HttpHeaders.CONTENT_TYPE))) {
			return "The body has to be application/json";
		}
		String site = headers.getFirst("Sec-Fetch-Site");
		if (site != null) {
			return "same-origin".equals(site) ? null : "The request comes from another site";
		}
		String origin = headers.getFirst(HttpHeaders.ORIGIN);
		if (origin == null || isThis(origin, request)) {
			return null;
		}
		return "The request comes from another origin than this host; behind a proxy set server.forward-headers-strategy";
	}

	/** What the browser has called, whatever a header says that was forwarded. */
	private static String host(DashboardRequest request) {
		String host = request.headers().getFirst(HttpHeaders.HOST);
		return Objects.requireNonNullElse((host != null) ? host : request.uri().getRawAuthority(), "");
	}

	private static boolean isJson(@Nullable String contentType) {
		return contentType != null
				&& contentType.split(";", 2)[0].trim().equalsIgnoreCase(MediaType.APPLICATION_JSON_VALUE);
	}

	// The scheme is left out: a proxy that ends TLS leaves the host as it is
	private static boolean isThis(String origin, DashboardRequest request) {
		int start = origin.indexOf("://");
		if (start < 0) {
			return false;
		}
		String authority = origin.substring(start + 3);
		return authority.equalsIgnoreCase(request.headers().getFirst(HttpHeaders.HOST))
				|| authority.equalsIgnoreCase(request.uri().getRawAuthority());
	}

}
