package io.github.delayqueue.sample;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.test.web.servlet.client.RestTestClient.ResponseSpec;
import org.springframework.web.context.WebApplicationContext;
import tools.jackson.databind.JsonNode;

/**
 * The whole application on a port of its own with its embedded Redis and database, and a
 * client that talks to it over HTTP.
 */
final class RunningShop implements AutoCloseable {

	private final RestTestClient http;

	private final int port;

	private final @Nullable ConfigurableApplicationContext application;

	private RunningShop(int port, @Nullable ConfigurableApplicationContext application) {
		this(RestTestClient.bindToServer().baseUrl("http://localhost:" + port).build(), port, application);
	}

	private RunningShop(RestTestClient http, int port, @Nullable ConfigurableApplicationContext application) {
		this.http = http;
		this.port = port;
		this.application = application;
	}

	static RunningShop start(Path dataDir, String... properties) {
		return start(Object.class, dataDir, properties);
	}

	/**
	 * A shop with more in it.
	 * @param configuration what to add
	 * @param dataDir where its Redis and its database keep their data
	 * @param properties its properties, as {@code name=value}
	 * @return the shop
	 */
	static RunningShop start(Class<?> configuration, Path dataDir, String... properties) {
		ConfigurableApplicationContext application = SpringApplication
			.run(new Class<?>[] { SampleApplication.class, configuration }, arguments(dataDir, properties));
		int port = application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		return new RunningShop(port, application);
	}

	/**
	 * Arguments of a shop on a free port.
	 * @param dataDir where Redis and database keep their data
	 * @param properties properties, as {@code name=value}
	 * @return the arguments
	 */
	static String[] arguments(Path dataDir, String... properties) {
		Stream<String> own = Stream
			.of("server.port=0", "sample.redis.port=0", "sample.redis.data-dir=" + redisData(dataDir),
					"sample.database.data-dir=" + dataDir.resolve("db"))
			.filter((property) -> Stream.of(properties).noneMatch((other) -> name(other).equals(name(property))));
		return Stream.concat(own, Stream.of(properties)).map((property) -> "--" + property).toArray(String[]::new);
	}

	static Path redisData(Path dataDir) {
		return dataDir.resolve("redis");
	}

	private static String name(String property) {
		return property.substring(0, property.indexOf('='));
	}

	/**
	 * A shop that somebody else has started and will stop.
	 * @param port its port
	 * @return the shop
	 */
	static RunningShop at(int port) {
		return new RunningShop(port, null);
	}

	/**
	 * A shop without a port, in the context of a test.
	 * @param context the context
	 * @return the shop
	 */
	static RunningShop in(WebApplicationContext context) {
		return new RunningShop(RestTestClient.bindToApplicationContext(context).build(), 0, null);
	}

	String url() {
		return "http://localhost:" + this.port;
	}

	/** That of the page, on whatever port the endpoints are. */
	String page() {
		return "http://localhost:" + bean(Environment.class).getRequiredProperty("local.management.port")
				+ "/actuator/delayqueueui";
	}

	/** Only of a shop that was started here. */
	<T> T bean(Class<T> type) {
		return Objects.requireNonNull(this.application).getBean(type);
	}

	ResponseSpec exchangeGet(String path) {
		return this.http.get().uri(path).exchange();
	}

	ResponseSpec exchangePost(String path, String body) {
		return this.http.post().uri(path).contentType(MediaType.APPLICATION_JSON).body(body).exchange();
	}

	JsonNode get(String path) {
		return body(exchangeGet(path).expectStatus().isOk());
	}

	/**
	 * Create something and see that it can be looked at where the answer says.
	 * @param path where to create it
	 * @param body what to create
	 * @return the answer
	 */
	JsonNode create(String path, String body) {
		ResponseSpec answer = exchangePost(path, body).expectStatus().isCreated();
		JsonNode created = body(answer);
		answer.expectHeader()
			.value("Location", (location) -> this.http.get().uri(location).exchange().expectStatus().isOk());
		return created;
	}

	JsonNode post(String path) {
		return body(this.http.post().uri(path).exchange().expectStatus().is2xxSuccessful());
	}

	JsonNode awaitUntil(String path, Predicate<JsonNode> condition) {
		return Awaitility.await("GET " + path).until(() -> get(path), condition);
	}

	JsonNode awaitStatus(String path, String status) {
		return awaitUntil(path, (body) -> status.equals(body.path("status").stringValue("")));
	}

	static Instant instant(JsonNode body, String field) {
		return Instant.parse(body.required(field).stringValue());
	}

	private static JsonNode body(ResponseSpec answer) {
		return Objects.requireNonNull(answer.returnResult(JsonNode.class).getResponseBody());
	}

	@Override
	public void close() {
		if (this.application != null) {
			this.application.close();
		}
	}

}
