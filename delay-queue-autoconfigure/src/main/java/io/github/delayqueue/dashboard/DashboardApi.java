package io.github.delayqueue.dashboard;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import tools.jackson.core.JacksonException;

import io.github.delayqueue.actuate.QueueManagement;
import io.github.delayqueue.actuate.QueueRequestException;
import io.github.delayqueue.convert.PlainJson;
import io.github.delayqueue.dashboard.DashboardRequest.CsrfHeader;

/**
 * What the page asks for: the same answers as those of the actuator endpoint, at
 * addresses where names and ids are query parameters. All decisions are those of
 * {@link QueueManagement}.
 */
record DashboardApi(QueueManagement management, AllowedHosts hosts) {

	private static final String NEVER_KEPT = "no-store";

	/** What cannot be answered has a status and a sentence. */
	DashboardResponse handle(DashboardRequest request, String name) {
		try {
			if ("act".equals(name)) {
				return "POST".equals(request.method()) ? act(request) : refuse("POST");
			}
			return request.reads() ? read(request, name) : refuse("GET, HEAD");
		}
		catch (QueueRequestException ex) {
			return error(ex.getStatus(), String.valueOf(ex.getMessage()));
		}
	}

	private DashboardResponse read(DashboardRequest request, String name) {
		return switch (name) {
			case "about" -> json(200, new About(this.management.canChange(), request.csrfToken()));
			case "queues" -> json(200, this.management.overview(request.parameters().get("search"),
					request.parameters().get("offset"), request.parameters().get("limit")));
			case "instances" -> json(200, this.management.instances());
			case "queue" -> json(200, this.management.queue(parameter(request, "queue")));
			case "tasks" -> view(request, name, "state", "offset", "limit", "cause", "until", "cursor");
			case "dead" -> view(request, name);
			case "task" ->
				json(200, this.management.task(parameter(request, "queue"), parameter(request, "id"), request.user()));
			case "forecast" -> view(request, name, "range");
			case "history" -> view(request, name, "hours");
			case "find" -> search(request, "id", parameter(request, "id"));
			case "recurring" -> search(request, "recurring", "true");
			default -> error(404, "There is nothing here");
		};
	}

	private DashboardResponse search(DashboardRequest request, String name, String value) {
		Map<String, @Nullable String> arguments = only(request, "search", "cursor", "limit");
		arguments.put(name, value);
		return json(200, this.management.view(arguments));
	}

	private DashboardResponse view(DashboardRequest request, String view, String... names) {
		return json(200, this.management.view(parameter(request, "queue"), view, only(request, names), request.user()));
	}

	private static Map<String, @Nullable String> only(DashboardRequest request, String... names) {
		Map<String, @Nullable String> arguments = new HashMap<>(request.parameters());
		arguments.keySet().retainAll(List.of(names));
		return arguments;
	}

	private DashboardResponse act(DashboardRequest request) {
		String objection = SameOrigin.objection(request, this.hosts, this.management.knows(request.user()));
		if (objection != null) {
			return error(403, objection);
		}
		byte[] body = request.body();
		if (body == null) {
			return error(413, "The body is too long");
		}
		Map<String, @Nullable String> arguments = arguments(body);
		if (arguments == null) {
			return error(400, "The body has to be a JSON object of texts and numbers");
		}
		String queue = arguments.remove("queue");
		String action = arguments.remove("action");
		return json(200, this.management.act((queue != null) ? queue : "", action, arguments, request.user()));
	}

	private static @Nullable Map<String, @Nullable String> arguments(byte[] body) {
		try {
			if (!(PlainJson.read(body) instanceof Map<?, ?> json)
					|| json.values().stream().anyMatch((value) -> value instanceof Map || value instanceof List)) {
				return null;
			}
			Map<String, @Nullable String> arguments = new LinkedHashMap<>();
			json.forEach((name, value) -> arguments.put((String) name, (value != null) ? value.toString() : null));
			return arguments;
		}
		catch (JacksonException ex) {
			// Whoever sent it is told; it may hold anything, so nobody else is
			return null;
		}
	}

	private static String parameter(DashboardRequest request, String name) {
		return Objects.requireNonNullElse(request.parameters().get(name), "");
	}

	private static DashboardResponse refuse(String allowed) {
		return error(405, "The method has to be one of: " + allowed).with(HttpHeaders.ALLOW, allowed);
	}

	static DashboardResponse error(int status, String sentence) {
		return json(status, Map.of("error", sentence));
	}

	/** Not by the mapper of the application, whose JSON is not what this page reads. */
	private static DashboardResponse json(int status, Object body) {
		return DashboardResponse.of(status, MediaType.APPLICATION_JSON, NEVER_KEPT, PlainJson.write(body));
	}

	/**
	 * What the page needs to know first.
	 *
	 * @param writable whether queues may be changed
	 * @param csrf what writes have to bring along, {@code null} if nothing
	 */
	record About(boolean writable, @Nullable CsrfHeader csrf) {

	}

}
