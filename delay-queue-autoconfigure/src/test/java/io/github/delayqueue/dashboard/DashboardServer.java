package io.github.delayqueue.dashboard;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
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

/**
 * An application of either kind that serves the page, with a store in memory, and a
 * client that behaves like the page.
 */
final class DashboardServer implements AutoCloseable {

	static final String QUEUE = "order_timeout";

	private static final JsonMapper JSON = new JsonMapper();

	private final ConfigurableApplicationContext application;

	private final HttpClient client = HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

	private DashboardServer(ConfigurableApplicationContext application) {
		this.application = application;
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
		return send(request(path, headers).GET());
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
		try {
			return this.client.send(request.build(), BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	HttpRequest.Builder request(String path, String... headers) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port() + path));
		return (headers.length > 0) ? request.headers(headers) : request;
	}

	int port() {
		return this.application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	/** What the cookie handler has of the server. */
	String cookie(String name) {
		return ((CookieManager) this.client.cookieHandler().orElseThrow()).getCookieStore()
			.getCookies()
			.stream()
			.filter((cookie) -> cookie.getName().equals(name))
			.findFirst()
			.orElseThrow()
			.getValue();
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
