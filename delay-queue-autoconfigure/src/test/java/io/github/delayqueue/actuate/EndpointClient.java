package io.github.delayqueue.actuate;

import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.testsupport.HttpCalls;

/**
 * Asks the endpoint of an application over HTTP.
 */
final class EndpointClient {

	/** Names whoever asks, in applications that are told by it. */
	static final String USER = "X-User";

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private static final String PATH = "/actuator/delayqueue";

	private final HttpCalls calls;

	EndpointClient(int port) {
		this.calls = new HttpCalls(port);
	}

	static String encode(String value) {
		return URLEncoder.encode(value, StandardCharsets.UTF_8);
	}

	HttpResponse<String> get(String path) {
		return this.calls.get(PATH + path);
	}

	HttpResponse<String> getAs(String user, String path) {
		return this.calls.get(PATH + path, USER, user);
	}

	/** With the arguments as JSON. */
	HttpResponse<String> post(String path, Map<String, ?> body) {
		return post(path, MAPPER.writeValueAsString(body));
	}

	HttpResponse<String> post(String path, String body) {
		return this.calls.post(PATH + path, body);
	}

	/** With the arguments in the address. */
	HttpResponse<String> postQuery(String path, Map<String, String> arguments) {
		String query = arguments.entrySet()
			.stream()
			.map((entry) -> entry.getKey() + "=" + encode(entry.getValue()))
			.collect(Collectors.joining("&"));
		return post(path + "?" + query, "{}");
	}

}
