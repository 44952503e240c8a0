package io.github.delayqueue.dashboard;

import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;

/**
 * What the page answers, for either web stack to send.
 *
 * @param status the HTTP status
 * @param headers all headers
 * @param body the body, possibly empty
 */
record DashboardResponse(int status, HttpHeaders headers, byte[] body) {

	/** Marks answers of the page, as opposed to those of whatever stands before it. */
	static final String MARK = "X-Delay-Queue-Dashboard";

	private static final String POLICY = "default-src 'self'; base-uri 'none'; form-action 'none'; "
			+ "frame-ancestors 'none'; object-src 'none'";

	private static final byte[] NOTHING = {};

	static DashboardResponse of(int status, MediaType type, String cacheControl, byte[] body) {
		HttpHeaders headers = headers(cacheControl);
		headers.setContentType(type);
		return new DashboardResponse(status, headers, body);
	}

	static DashboardResponse empty(int status, String cacheControl) {
		return new DashboardResponse(status, headers(cacheControl), NOTHING);
	}

	DashboardResponse with(String header, String value) {
		this.headers.set(header, value);
		return this;
	}

	DashboardResponse withoutBody() {
		return new DashboardResponse(this.status, this.headers, NOTHING);
	}

	private static HttpHeaders headers(String cacheControl) {
		HttpHeaders headers = new HttpHeaders();
		headers.setCacheControl(cacheControl);
		headers.set("Content-Security-Policy", POLICY);
		headers.set("X-Content-Type-Options", "nosniff");
		headers.set("X-Frame-Options", "DENY");
		headers.set("Referrer-Policy", "no-referrer");
		headers.set("Cross-Origin-Resource-Policy", "same-origin");
		headers.set(MARK, "1");
		return headers;
	}

}
