package io.github.delayqueue.dashboard;

import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

import io.github.delayqueue.actuate.QueueManagement;
import io.github.delayqueue.dashboard.PageFiles.PageFile;

/**
 * The page: its files, and below {@code /api} what they ask for. Knows neither web stack;
 * {@link ServletDashboard} and {@link ReactiveDashboard} do. Public for wiring.
 * Thread-safe; asks the store on the calling thread.
 */
public class Dashboard {

	private static final String API = "/api/";

	/** Asked for again each time, answered by 304 as long as it is the same. */
	private static final String REVALIDATE = "no-cache";

	private final PageFiles files = new PageFiles();

	private final DashboardApi api;

	/**
	 * Create the page.
	 * @param management what can be seen and done, and by whom
	 * @param allowedHosts by which names, besides its own, who has not logged in may call
	 * the application to change queues; {@code *} for any
	 */
	public Dashboard(QueueManagement management, Set<String> allowedHosts) {
		this.api = new DashboardApi(management, new AllowedHosts(allowedHosts));
	}

	static boolean isApi(String path) {
		return path.startsWith(API);
	}

	/**
	 * Whether a query, as it was sent, is encoded in UTF-8. Servers differ in what they
	 * do of one that is not.
	 */
	static boolean isReadable(@Nullable String query) {
		try {
			String bytes = (query != null) ? URLDecoder.decode(query, StandardCharsets.ISO_8859_1) : "";
			StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1)));
			return true;
		}
		catch (CharacterCodingException | IllegalArgumentException ex) {
			return false;
		}
	}

	DashboardResponse unreadable() {
		return DashboardApi.error(400, "The query has to be encoded in UTF-8");
	}

	DashboardResponse refuse() {
		return DashboardApi.error(403, EndpointRules.REFUSAL);
	}

	DashboardResponse handle(DashboardRequest request) {
		DashboardResponse response = isApi(request.path())
				? this.api.handle(request, request.path().substring(API.length())) : file(request);
		return "HEAD".equals(request.method()) ? response.withoutBody() : response;
	}

	private DashboardResponse file(DashboardRequest request) {
		if (!request.reads()) {
			return DashboardResponse.empty(405, REVALIDATE).with(HttpHeaders.ALLOW, "GET, HEAD");
		}
		if (request.path().isEmpty()) {
			// Without the slash, the browser would look for the files in the wrong place.
			// Relative, for proxies that
			// serve the application under another path
			String last = request.uri().getRawPath();
			return DashboardResponse.empty(302, REVALIDATE)
				.with(HttpHeaders.LOCATION, last.substring(last.lastIndexOf('/') + 1) + "/");
		}
		String name = request.path().substring(1);
		PageFile file = this.files.find(name.isEmpty() ? "index.html" : name);
		return (file != null) ? answer(file, request.headers().getFirst(HttpHeaders.IF_NONE_MATCH))
				: DashboardResponse.empty(404, REVALIDATE);
	}

	private static DashboardResponse answer(PageFile file, @Nullable String known) {
		DashboardResponse response = (known != null && known.contains(file.etag()))
				? DashboardResponse.empty(304, REVALIDATE)
				: DashboardResponse.of(200, file.type(), REVALIDATE, file.content());
		return response.with(HttpHeaders.ETAG, file.etag());
	}

}
