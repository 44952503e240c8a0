package io.github.delayqueue.console;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.test.web.servlet.client.assertj.RestTestClientResponse;

import io.github.delayqueue.testsupport.LocalHttp;

/**
 * Asks the endpoint of an application over HTTP.
 */
final class EndpointClient {

	/** Names whoever asks, in applications that are told by it. */
	static final String USER = "X-User";

	private static final String PATH = "/actuator/delayqueue";

	private final RestTestClient client;

	EndpointClient(int port) {
		this.client = LocalHttp.client(port);
	}

	static String encode(String value) {
		return URLEncoder.encode(value, StandardCharsets.UTF_8);
	}

	RestTestClientResponse get(String path) {
		return RestTestClientResponse.from(this.client.get().uri(PATH + path).exchange());
	}

	RestTestClientResponse getAs(String user, String path) {
		return RestTestClientResponse.from(this.client.get().uri(PATH + path).header(USER, user).exchange());
	}

	/** With the arguments as JSON, which may be text. */
	RestTestClientResponse post(String path, Object body) {
		return RestTestClientResponse
			.from(this.client.post().uri(PATH + path).contentType(MediaType.APPLICATION_JSON).body(body).exchange());
	}

	/** With the arguments in the address. */
	RestTestClientResponse postQuery(String path, Map<String, String> arguments) {
		String query = arguments.entrySet()
			.stream()
			.map((entry) -> entry.getKey() + "=" + encode(entry.getValue()))
			.collect(Collectors.joining("&"));
		return post(path + "?" + query, "{}");
	}

}
