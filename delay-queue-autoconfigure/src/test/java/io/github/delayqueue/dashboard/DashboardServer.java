package io.github.delayqueue.dashboard;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.test.web.servlet.client.RestTestClient.RequestBodySpec;
import org.springframework.test.web.servlet.client.assertj.RestTestClientResponse;
import tools.jackson.databind.JsonNode;

import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.LocalHttp;

/**
 * An application of either kind that serves the page, with a store in memory, and a
 * client that behaves like the page.
 */
final class DashboardServer implements AutoCloseable {

	static final String QUEUE = "order_timeout";

	private final ConfigurableApplicationContext application;

	private final RestTestClient client;

	private DashboardServer(ConfigurableApplicationContext application) {
		this.application = application;
		this.client = LocalHttp.client(port());
	}

	static DashboardServer start(WebApplicationType type, Class<?> more, String... properties) {
		String[] all = Stream
			.concat(Stream.of("server.port=0", "delay-queue.dashboard.enabled=true"), Stream.of(properties))
			.toArray(String[]::new);
		return new DashboardServer(
				new SpringApplicationBuilder(Application.class, more).web(type).properties(all).run());
	}

	DelayQueueOperations operations() {
		return this.application.getBean(DelayQueueOperations.class);
	}

	/** Schedules a task and gives it up. */
	void deadLetter(String id, Object payload, String reason) {
		operations().schedule(QUEUE, id, payload, Duration.ZERO);
		operations().poll(QUEUE, 1, Duration.ofMinutes(1)).get(0).deadLetter(reason);
	}

	RestTestClientResponse get(String path, String... headers) {
		return send(HttpMethod.GET, path, headers);
	}

	JsonNode json(String path, String... headers) {
		return Objects.requireNonNull(
				request(HttpMethod.GET, path, headers).exchange().returnResult(JsonNode.class).getResponseBody());
	}

	/** As the page does. */
	RestTestClientResponse act(String path, Object body, String... headers) {
		return post(path, body,
				Stream
					.concat(Stream.of("Content-Type", "application/json", "X-Delay-Queue-Dashboard", "1"),
							Stream.of(headers))
					.toArray(String[]::new));
	}

	RestTestClientResponse post(String path, Object body, String... headers) {
		return RestTestClientResponse.from(request(HttpMethod.POST, path, headers).body(body).exchange());
	}

	RestTestClientResponse send(HttpMethod method, String path, String... headers) {
		return RestTestClientResponse.from(request(method, path, headers).exchange());
	}

	private RequestBodySpec request(HttpMethod method, String path, String... headers) {
		RequestBodySpec request = this.client.method(method).uri(path);
		for (int i = 0; i < headers.length; i += 2) {
			request.header(headers[i], headers[i + 1]);
		}
		return request;
	}

	/** A request of which no client of ours would send all headers. */
	String raw(String... lines) throws IOException {
		try (Socket socket = new Socket("localhost", port())) {
			socket.getOutputStream().write(String.join("\r\n", lines).getBytes(StandardCharsets.UTF_8));
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		}
	}

	int port() {
		return this.application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	@Override
	public void close() {
		this.application.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		InMemoryTaskStore taskStore() {
			return new InMemoryTaskStore(Clock.systemUTC());
		}

	}

}
