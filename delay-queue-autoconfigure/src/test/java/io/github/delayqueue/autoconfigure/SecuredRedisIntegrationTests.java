package io.github.delayqueue.autoconfigure;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ObjIntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.fixtures.DocumentedUser;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * Applications whose Redis is guarded: by a password, by a user with few rights, by TLS.
 * All is configured for Spring Data Redis, and the connections of the delay queue have
 * it, too.
 */
@ExtendWith(OutputCaptureExtension.class)
@Execution(ExecutionMode.CONCURRENT)
class SecuredRedisIntegrationTests {

	private static final Pattern CLIENT = Pattern.compile("name=(\\S*) .* db=(\\d+) .* user=(\\S+)");

	@TempDir
	private static Path certificates;

	/** An authority, and what it has signed for a server and for a client. */
	@BeforeAll
	static void makeCertificates() throws Exception {
		X509Bundle authority = new CertificateBuilder().subject("CN=test authority")
			.setIsCertificateAuthority(true)
			.buildSelfSigned();
		X509Bundle leaf = new CertificateBuilder().subject("CN=test")
			.addSanIpAddress("127.0.0.1")
			.buildIssuedBy(authority);
		Files.writeString(certificates.resolve("ca.pem"), authority.getCertificatePEM());
		Files.writeString(certificates.resolve("leaf.pem"), leaf.getCertificatePEM());
		Files.writeString(certificates.resolve("leaf.key"), leaf.getPrivateKeyPEM());
	}

	@ParameterizedTest
	@MethodSource(Driver.BY_EFFORT)
	void passwordOfTheServer(Driver driver) {
		try (RedisServer server = RedisServer.startNew()) {
			server.cli("CONFIG", "SET", "requirepass", "secret");
			run(name(driver), List.of("port=" + server.port(), "password=secret"), this::assertHandles);
			run(name(driver), List.of("port=" + server.port(), "password=wrong"), this::assertRefused);
			run(name(driver), List.of("port=" + server.port()), this::assertRefused);
		}
	}

	@ParameterizedTest
	@MethodSource(Driver.BY_EFFORT)
	void userWithFewRights(Driver driver) {
		try (RedisServer server = RedisServer.startNew()) {
			DocumentedUser user = DocumentedUser.create(server::cli, "shop", "delay:queue:");
			run(name(driver), List.of("port=" + server.port(), "username=shop", "password=secret", "client-name=till"),
					(context) -> {
						assertHandles(context);
						assertConnections(server, "till", "0", "shop");
					});
			assertThat(user.refusals()).isEmpty();
			run(name(driver), List.of("port=" + server.port(), "username=shop", "password=wrong"), this::assertRefused);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void tls(String driver) {
		withTls("no", (server, port) -> {
			List<String> redis = List.of("port=" + port, "ssl.bundle=redis", "database=3", "client-name=till");
			run(driver, with(redis, trust()), (context) -> {
				assertHandles(context);
				assertConnections(server, "till", "3", "default");
			});
			run(driver, List.of("port=" + port, "ssl.enabled=true"), this::assertRefused);
			run(driver, List.of("port=" + port), this::assertRefused);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = "lettuce")
	@Heavy
	void tlsToAHostThatIsNotInTheCertificate(String driver) {
		withTls("no", (server, port) -> run(driver,
				with(List.of("host=localhost", "port=" + port, "ssl.bundle=redis"), trust()), this::assertRefused));
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	@Heavy
	void tlsWithACertificateOfTheClient(String driver) {
		withTls("yes", (server, port) -> {
			List<String> redis = List.of("port=" + port, "ssl.bundle=redis");
			run(driver,
					with(with(redis, trust()),
							List.of("#keystore.certificate=file:" + certificates.resolve("leaf.pem"),
									"#keystore.private-key=file:" + certificates.resolve("leaf.key"))),
					this::assertHandles);
			run(driver, with(redis, trust()), this::assertRefused);
		});
	}

	private static String name(Driver driver) {
		return driver.name().toLowerCase(Locale.ROOT);
	}

	private static void withTls(String authClients, ObjIntConsumer<RedisServer> test) {
		try (RedisServer plain = RedisServer.startNew()) {
			assumeThat((List<?>) plain.cli("CONFIG", "GET", "tls-port"))
				.as("The redis-server to test with has been built without TLS")
				.isNotEmpty();
		}
		try (RedisServer server = RedisServer.builder()
			.arguments("--tls-cert-file", certificates.resolve("leaf.pem").toString(), "--tls-key-file",
					certificates.resolve("leaf.key").toString(), "--tls-ca-cert-file",
					certificates.resolve("ca.pem").toString(), "--tls-auth-clients", authClients)
			.build()
			.start()) {
			int port = server.port() + 1;
			while (!opens(server, port)) {
				port++;
			}
			test.accept(server, port);
		}
	}

	private static boolean opens(RedisServer server, int tlsPort) {
		try {
			return "OK".equals(server.cli("CONFIG", "SET", "tls-port", String.valueOf(tlsPort)));
		}
		catch (IllegalStateException ex) {
			assertThat(ex).as("why the port is not opened").hasMessageContaining("listen");
			return false;
		}
	}

	private static List<String> trust() {
		return List.of("#truststore.certificate=file:" + certificates.resolve("ca.pem"));
	}

	private static List<String> with(List<String> some, List<String> more) {
		return Stream.concat(some.stream(), more.stream()).toList();
	}

	/** What begins with # is of the SSL bundle, else of Spring Data Redis. */
	private void run(String driver, List<String> properties, ContextConsumer<AssertableApplicationContext> test) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, DataRedisAutoConfiguration.class,
					JacksonAutoConfiguration.class, DelayQueueAutoConfiguration.class))
			.withPropertyValues("spring.data.redis.client-type=" + driver, "spring.data.redis.host=127.0.0.1",
					"spring.data.redis.jedis.pool.enabled=true", "delay-queue.listener.poll-interval=100ms",
					"delay-queue.command-timeout=10s")
			.withPropertyValues(properties.stream()
				.map((property) -> property.startsWith("#") ? "spring.ssl.bundle.pem.redis." + property.substring(1)
						: "spring.data.redis." + property)
				.toArray(String[]::new))
			.withBean(Handlers.class)
			.run(test);
	}

	private void assertHandles(AssertableApplicationContext context) {
		DelayQueueOperations delayQueue = context.getBean(DelayQueueOperations.class);
		Handlers handlers = context.getBean(Handlers.class);
		delayQueue.schedulePayload("q", "works", Duration.ofMillis(20));
		delayQueue.schedule("q", "fatal", "fails", Duration.ZERO);
		await().until(() -> handlers.handled().contains("works")
				&& delayQueue.find("q", "fatal").filter((task) -> task.state() == TaskState.DEAD).isPresent());
		assertThat(delayQueue.redrive("q", "fatal")).isTrue();
		await().until(() -> delayQueue.stats("q").totals().deadLettered() == 2);
		assertThat(delayQueue.delete("q", TaskState.DEAD, 10)).isEqualTo(1);
	}

	private void assertRefused(AssertableApplicationContext context) {
		assertThat(context).hasNotFailed();
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> context.getBean(DelayQueueOperations.class).schedulePayload("q", "task", Duration.ZERO))
			.withMessageContaining("Could not schedule in queue 'q': ");
	}

	/** All but the one that asks, which is of the default user and has no name. */
	private static void assertConnections(RedisServer server, String name, String database, String user) {
		await().untilAsserted(() -> {
			List<String> clients = new ArrayList<>();
			Matcher matcher = CLIENT.matcher((String) server.cli("CLIENT", "LIST"));
			while (matcher.find()) {
				clients.add(matcher.group(1) + " " + matcher.group(2) + " " + matcher.group(3));
			}
			assertThat(clients).as("those for commands and for subscriptions").hasSizeGreaterThanOrEqualTo(3);
			clients.remove(" 0 default");
			assertThat(clients).containsOnly(name + " " + database + " " + user);
		});
	}

	static class Handlers {

		private final List<String> handled = new ArrayList<>();

		@DelayQueueListener(queue = "q", maxAttempts = "2", retryDelay = "10ms")
		synchronized void handle(String payload) {
			this.handled.add(payload);
			if (payload.equals("fails")) {
				throw new IllegalStateException("as it should");
			}
		}

		synchronized List<String> handled() {
			return List.copyOf(this.handled);
		}

	}

}
