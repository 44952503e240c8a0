package io.github.delayqueue.console;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskDetails;
import io.github.delayqueue.testsupport.LocalHttp;
import io.github.delayqueue.testsupport.TestRedis;
import io.github.delayqueue.testsupport.TestRedisConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Neither the name of a queue nor an id leaves its place, wherever it comes in.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = { "delay-queue.key-prefix=hostile-names:",
		"management.endpoints.web.exposure.include=delayqueue" })
class HostileNamesIntegrationTests {

	@Autowired
	private DelayQueueOperations delayQueue;

	@Autowired
	private DelayQueueListenerContainerRegistry registry;

	@LocalServerPort
	private int port;

	@BeforeEach
	void clear() {
		keys().forEach((key) -> TestRedis.cli("DEL", key));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "a b", "a}", "{a}", "a}:meta", "}{", "a\nb", "a\u0000", "a/b", "../a", "ä", "*",
			"a*", "[a]", "${a}", "#{a}", "a\u2028", "SHUTDOWN\r\n", "😀" })
	void nameThatIsNoneIsRefusedEverywhere(String name) throws Exception {
		for (Runnable step : List.<Runnable>of(() -> this.delayQueue.schedulePayload(name, "p", Duration.ZERO),
				() -> this.delayQueue.cancel(name, "a"), () -> this.delayQueue.find(name, "a"),
				() -> this.delayQueue.list(name, TaskState.DEAD, 0, 1), () -> this.delayQueue.stats(name),
				() -> this.delayQueue.redrive(name, 1), () -> this.delayQueue.delete(name, TaskState.DEAD, 1),
				() -> this.delayQueue.clear(name), () -> this.delayQueue.pause(name),
				() -> this.delayQueue.resume(name), () -> this.delayQueue.poll(name, 1, Duration.ofSeconds(1)),
				() -> this.registry.register(name, String.class, (task, context) -> TaskResult.done(),
						ListenerOptions.defaults()))) {
			assertThatExceptionOfType(DelayQueueException.class).isThrownBy(step::run)
				.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("\n", "\u0000"));
		}
		TestRedis.cli("SADD", "hostile-names:names", name);
		assertThat(get("")).startsWith("{\"queues\":{},\"sums\":{\"waiting\":0,")
			.endsWith("\"order\":[],\"groups\":{\"DANGER\":0,\"WARNING\":0,\"WORKING\":0,\"QUIET\":0},\"total\":0}");
		if (!name.isBlank() && !name.contains("/")) {
			assertThat(get("/" + URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20")))
				.doesNotContain("waiting");
		}
		assertThat(keys()).containsExactly("hostile-names:names");
	}

	@ParameterizedTest
	@ValueSource(strings = { "}", "{", "a}:meta", "{x}:names", "a:b", "*", "' OR 1=1", "\\r\\n", "%0a", "{\"v\":1}",
			"-inf", "\u2028", "😀", "a b" })
	void idStaysAnEntryWhateverItSays(String id) {
		this.delayQueue.schedule("q", id, "payload", Duration.ofHours(1));
		assertThat(this.delayQueue.find("q", id)).get().returns(id, TaskDetails::id);
		assertThat(this.delayQueue.reschedule("q", id, Duration.ofHours(2))).isTrue();
		assertThat(this.delayQueue.list("q", TaskState.SCHEDULED, 0, 10)).hasSize(1);
		assertThat(keys()).isSubsetOf("hostile-names:names", "hostile-names:{q}", "hostile-names:{q}:tasks",
				"hostile-names:{q}:meta");
		assertThat(this.delayQueue.cancel("q", id)).isTrue();
		assertThat(this.delayQueue.list("q", TaskState.SCHEDULED, 0, 10)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "\n", "a\r\nb", "\u0000", "\u007f", "\u0085", "\ud800", "\udcff" })
	void idThatIsNoneIsRefused(String id) {
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> this.delayQueue.schedule("q", id, "payload", Duration.ZERO))
			.withMessageStartingWith("Task id for queue 'q' must not ");
		assertThat(keys()).isEmpty();
	}

	private String get(String path) {
		return Objects.requireNonNull(LocalHttp.client(this.port)
			.get()
			.uri("/actuator/delayqueue" + path)
			.exchange()
			.returnResult(String.class)
			.getResponseBody());
	}

	private static Set<String> keys() {
		Set<String> keys = new TreeSet<>();
		((List<?>) TestRedis.cli("KEYS", "*hostile-names*")).forEach((key) -> keys.add((String) key));
		return keys;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(TestRedisConfiguration.class)
	static class Application {

	}

}
