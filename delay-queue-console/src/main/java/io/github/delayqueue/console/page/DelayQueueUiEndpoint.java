package io.github.delayqueue.console.page;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.util.MimeType;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@code /actuator/delayqueueui}: the page. It is one document, the same for everybody,
 * and holds nothing of any queue: what it shows and does, it asks of the endpoint
 * {@code delayqueue}, as the user who looks. Public for applications that expose it in
 * their own way. Thread-safe.
 */
@WebEndpoint(id = "delayqueueui", defaultAccess = Access.READ_ONLY)
public class DelayQueueUiEndpoint {

	private static final String HTML = "text/html;charset=UTF-8";

	private static final EndpointId PAGE = EndpointId.of("delayqueueui");

	private static final EndpointId QUEUES = EndpointId.of("delayqueue");

	private final Supplier<Resource> content;

	/**
	 * Create the endpoint.
	 * @param endpoints knows the paths of the endpoints; asked once, with the first
	 * request, because it knows this one too
	 */
	public DelayQueueUiEndpoint(Supplier<@Nullable PathMappedEndpoints> endpoints) {
		PageDocument document = new PageDocument();
		this.content = SingletonSupplier
			.of(() -> new ByteArrayResource(document.of(endpoint(endpoints.get())).getBytes(StandardCharsets.UTF_8)));
	}

	@ReadOperation(produces = HTML)
	public WebEndpointResponse<Resource> page() {
		return new WebEndpointResponse<>(this.content.get(), WebEndpointResponse.STATUS_OK, MimeType.valueOf(HTML));
	}

	/**
	 * The page, if its path ends with a slash.
	 * @param path what follows the path of the page: nothing else
	 */
	@ReadOperation(produces = HTML)
	public WebEndpointResponse<Resource> page(@Selector(match = Match.ALL_REMAINING) String... path) {
		return (path.length == 0) ? page() : new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
	}

	/**
	 * The path of the other endpoint, relative to that of the page without a slash at its
	 * end.
	 */
	private static String endpoint(@Nullable PathMappedEndpoints paths) {
		if (paths == null || paths.getEndpoint(QUEUES) == null || paths.getEndpoint(PAGE) == null) {
			return "";
		}
		String page = Objects.requireNonNull(paths.getRootPath(PAGE));
		long levels = page.chars().filter((character) -> character == '/').count();
		// The dot: what has a colon in it would be the scheme of an address
		return "./" + "../".repeat((int) levels) + Objects.requireNonNull(paths.getRootPath(QUEUES));
	}

}
