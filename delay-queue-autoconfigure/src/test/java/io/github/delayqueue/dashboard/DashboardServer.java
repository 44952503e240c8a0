package io.github.delayqueue.dashboard;

import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.stream.Stream;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.HttpCalls;

/**
 * An application of either kind that serves the page, with a store in memory, and a
 * client that behaves like the page.
 */
final class DashboardServer implements AutoCloseable {

	static final String QUEUE = "order_timeout";

	private static final JsonMapper JSON = new JsonMapper();

	private final ConfigurableApplicationContext application;

	private final HttpCalls calls;

	private DashboardServer(ConfigurableApplicationContext application) {
		this.application = application;
		this.calls = new HttpCalls(port());
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
	void bury(String id, Object payload, String reason) {
		operations().schedule(QUEUE, id, payload, Duration.ZERO);
		operations().poll(QUEUE, 1, Duration.ofMinutes(1)).get(0).bury(reason);
	}

	HttpResponse<String> get(String path, String... headers) {
		return this.calls.get(path, headers);
	}

	JsonNode json(String path, String... headers) {
		return JSON.readTree(get(path, headers).body());
	}

	/** As the page does. */
	HttpResponse<String> act(String path, String body, String... headers) {
		return post(path, body,
				Stream
					.concat(Stream.of("Content-Type", "application/json", "X-Delay-Queue-Dashboard", "1"),
							Stream.of(headers))
					.toArray(String[]::new));
	}

	HttpResponse<String> post(String path, String body, String... headers) {
		return send(request(path, headers).POST(BodyPublishers.ofString(body)));
	}

	HttpResponse<String> send(HttpRequest.Builder request) {
		return this.calls.send(request);
	}

	HttpRequest.Builder request(String path, String... headers) {
		return this.calls.request(path, headers);
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

	/** What the cookie handler has of the server. */
	String cookie(String name) {
		return this.calls.cookie(name);
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
