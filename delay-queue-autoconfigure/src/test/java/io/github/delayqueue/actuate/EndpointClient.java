package io.github.delayqueue.actuate;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

import tools.jackson.databind.json.JsonMapper;

/**
 * Asks the endpoint of an application over HTTP.
 */
final class EndpointClient {

	/** Names whoever asks, in applications that are told by it. */
	static final String USER = "X-User";

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private final HttpClient client = HttpClient.newHttpClient();

	private final String url;

	EndpointClient(int port) {
		this.url = "http://localhost:" + port + "/actuator/delayqueue";
	}

	static String encode(String value) {
		return URLEncoder.encode(value, StandardCharsets.UTF_8);
	}

	HttpResponse<String> get(String path) throws IOException, InterruptedException {
		return send(request(path));
	}

	HttpResponse<String> getAs(String user, String path) throws IOException, InterruptedException {
		return send(request(path).header(USER, user));
	}

	/** With the arguments as JSON. */
	HttpResponse<String> post(String path, Map<String, ?> body) throws IOException, InterruptedException {
		return post(path, MAPPER.writeValueAsString(body));
	}

	HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
		return send(request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body)));
	}

	/** With the arguments in the address. */
	HttpResponse<String> postQuery(String path, Map<String, String> arguments)
			throws IOException, InterruptedException {
		String query = arguments.entrySet()
			.stream()
			.map((entry) -> entry.getKey() + "=" + encode(entry.getValue()))
			.collect(Collectors.joining("&"));
		return post(path + "?" + query, "{}");
	}

	private HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(URI.create(this.url + path));
	}

	private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
		return this.client.send(request.build(), HttpResponse.BodyHandlers.ofString());
	}

}
