package io.github.delayqueue.dashboard;

import java.security.Principal;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.util.ClassUtils;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import io.github.delayqueue.dashboard.DashboardRequest.CsrfHeader;

/**
 * Serves the page from a reactive application. The store is asked on Reactor's bounded
 * elastic scheduler, because it blocks. Public for wiring.
 */
public final class ReactiveDashboard implements HandlerFunction<ServerResponse> {

	static final String CSRF_TOKEN = "org.springframework.security.web.server.csrf.CsrfToken";

	private static final boolean SECURITY = ClassUtils.isPresent(CSRF_TOKEN, ReactiveDashboard.class.getClassLoader());

	private final Dashboard dashboard;

	private final EndpointRules rules;

	private ReactiveDashboard(Dashboard dashboard, EndpointRules rules) {
		this.dashboard = dashboard;
		this.rules = rules;
	}

	/** Routes to the page, which is served where the rules say. */
	public static RouterFunction<ServerResponse> routes(Dashboard dashboard, EndpointRules rules) {
		return RouterFunctions.route(RequestPredicates.path(rules.page() + "/**"),
				new ReactiveDashboard(dashboard, rules));
	}

	/**
	 * Whether it is certain that everybody who reaches the application may act on the
	 * page: Spring Security has no filters, or is missing.
	 */
	public static boolean isOpen(EndpointRules rules) {
		return !SECURITY || ReactiveSecurity.isOpen(rules);
	}

	@Override
	public Mono<ServerResponse> handle(ServerRequest request) {
		String path = request.requestPath().pathWithinApplication().value().substring(this.rules.page().length());
		if (!Dashboard.isReadable(request.uri().getRawQuery())) {
			return respond(this.dashboard.unreadable());
		}
		if (!SECURITY || !Dashboard.isApi(path)) {
			return handle(request, path);
		}
		return ReactiveSecurity.isRefused(this.rules, request)
			.flatMap((refused) -> refused ? respond(this.dashboard.refuse()) : handle(request, path));
	}

	private Mono<ServerResponse> handle(ServerRequest request, String path) {
		Mono<Optional<CsrfHeader>> token = (SECURITY && DashboardRequest.ABOUT.equals(path))
				? ReactiveSecurity.token(request) : Mono.just(Optional.empty());
		return Mono.zip(body(request), user(request), token)
			.map((parts) -> new DashboardRequest(request.method().name(), path, request.uri(),
					request.headers().asHttpHeaders(), request.queryParams().toSingleValueMap(),
					parts.getT1().orElse(null), parts.getT2(), parts.getT3().orElse(null)))
			.flatMap((asked) -> Mono.fromCallable(() -> this.dashboard.handle(asked))
				.subscribeOn(Schedulers.boundedElastic()))
			.flatMap(ReactiveDashboard::respond);
	}

	private static Mono<Optional<byte[]>> body(ServerRequest request) {
		return DataBufferUtils.join(request.exchange().getRequest().getBody(), DashboardRequest.MAX_BODY)
			.map(ReactiveDashboard::bytes)
			.defaultIfEmpty(new byte[0])
			.map(Optional::of)
			.onErrorReturn(DataBufferLimitException.class, Optional.empty());
	}

	private static byte[] bytes(DataBuffer buffer) {
		byte[] bytes = new byte[buffer.readableByteCount()];
		buffer.read(bytes);
		DataBufferUtils.release(buffer);
		return bytes;
	}

	private static Mono<SecurityContext> user(ServerRequest request) {
		return request.principal().<SecurityContext>map(ReactiveUser::new).defaultIfEmpty(SecurityContext.NONE);
	}

	private static Mono<ServerResponse> respond(DashboardResponse answer) {
		return ServerResponse.status(answer.status())
			.headers((headers) -> answer.headers().forEach(headers::put))
			.build((exchange, context) -> {
				ServerHttpResponse response = exchange.getResponse();
				return response.writeWith(Mono.fromSupplier(() -> response.bufferFactory().wrap(answer.body())));
			});
	}

	private record ReactiveUser(Principal principal) implements SecurityContext {

		@Override
		public @Nullable Principal getPrincipal() {
			return this.principal;
		}

		@Override
		public boolean isUserInRole(String role) {
			return SECURITY && ReactiveSecurity.hasRole(this.principal, role);
		}

	}

}
