package io.github.delayqueue.console.page;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.test.web.servlet.client.RestTestClient.RequestBodySpec;
import org.springframework.test.web.servlet.client.assertj.RestTestClientResponse;

import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.LocalHttp;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application of either kind that serves the page, with a store in memory, and a
 * client that behaves like the page.
 */
final class DashboardServer implements AutoCloseable {

	static final String QUEUE = "order_timeout";

	private static final Pattern ENDPOINT = Pattern.compile("<meta name=\"endpoint\" content=\"([^\"]*)\">");

	private final ConfigurableApplicationContext application;

	private final RestTestClient client;

	private DashboardServer(ConfigurableApplicationContext application) {
		this.application = application;
		Environment environment = application.getEnvironment();
		this.client = LocalHttp.client(environment.getProperty("local.management.port", Integer.class,
				environment.getRequiredProperty("local.server.port", Integer.class)));
	}

	static DashboardServer start(WebApplicationType type, Class<?> more, String... properties) {
		String[] all = Stream
			.concat(Stream.of("server.port=0", "management.endpoints.web.exposure.include=delayqueue,delayqueueui"),
					Stream.of(properties))
			.toArray(String[]::new);
		DashboardServer server = new DashboardServer(
				new SpringApplicationBuilder(Application.class, more).web(type).properties(all).run());
		server.operations().schedule(QUEUE, "1", "secret", Duration.ofHours(2));
		return server;
	}

	DelayQueueOperations operations() {
		return this.application.getBean(DelayQueueOperations.class);
	}

	/** The path of the endpoint, found as the page finds it. */
	String endpoint(String page, String... headers) {
		RestTestClientResponse answer = get(page, headers);
		assertThat(answer).hasStatus(200).hasHeader("Content-Type", "text/html;charset=UTF-8");
		String document = new String(answer.getExchangeResult().getResponseBodyContent(), StandardCharsets.UTF_8);
		Matcher matcher = ENDPOINT.matcher(document);
		assertThat(matcher.find()).isTrue();
		return URI.create(page.replaceAll("/+$", "")).resolve(matcher.group(1)).toString();
	}

	RestTestClientResponse get(String path, String... headers) {
		return send(HttpMethod.GET, path, headers);
	}

	RestTestClientResponse post(String path, String body, String... headers) {
		RequestBodySpec request = request(HttpMethod.POST, path, headers);
		if (Stream.of(headers).noneMatch("Content-Type"::equals)) {
			request.header("Content-Type", "application/json");
		}
		return RestTestClientResponse.from(request.body(body).exchange());
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

	/** Of an answer that clients of Java take for none: a 401 without a challenge. */
	String raw(String... lines) throws IOException {
		int port = this.application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		try (Socket socket = new Socket("localhost", port)) {
			socket.getOutputStream()
				.write((String.join("\r\n", lines) + "\r\nHost: localhost\r\nConnection: close\r\n\r\n")
					.getBytes(StandardCharsets.UTF_8));
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		}
	}

	/** The headers of a user whose password is "password". */
	static String[] authorization(String user, String... more) {
		String basic = Base64.getEncoder().encodeToString((user + ":password").getBytes(StandardCharsets.UTF_8));
		return Stream.concat(Stream.of("Authorization", "Basic " + basic), Stream.of(more)).toArray(String[]::new);
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

		/** Else the first server that ends takes the threads of all others with it. */
		@Bean
		ReactorResourceFactory reactorResourceFactory() {
			ReactorResourceFactory factory = new ReactorResourceFactory();
			factory.setUseGlobalResources(false);
			return factory;
		}

	}

}
