package io.github.delayqueue.console;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.info.BuildProperties;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.console.InstanceDescriptor.State;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.testsupport.ChildJvm;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Several applications on one Redis: who is seen where, what is known of those that have
 * ended, and listeners that are started and stopped from elsewhere.
 */
@Execution(ExecutionMode.CONCURRENT)
class InstancesIntegrationTests {

	private static final String QUEUE = "orders";

	private RedisServer redis;

	@BeforeEach
	void start() {
		this.redis = RedisServer.startNew();
	}

	@AfterEach
	void stop() {
		this.redis.close();
	}

	/** The version is that of a bean, or else of the manifest. */
	@ParameterizedTest
	@CsvSource({ "lettuce, build.version", "jedis, spring.application.version" })
	void listenerOfAnotherProcessIsSeenAndLeavesALastWord(String driver, String version) {
		try (ConfigurableApplicationContext here = run(Watching.class, driver, url());
				ChildJvm worker = ChildJvm.of(Worker.class, driver, url(), version + "=1.4.2")
					.start()
					.awaitReady("ready")) {
			QueueManagement management = here.getBean(QueueManagement.class);
			DelayQueueOperations queues = here.getBean(DelayQueueOperations.class);
			InstanceDescriptor instance = await().until(() -> only(management), (seen) -> seen != null
					&& seen.listeners().stream().allMatch((listener) -> listener.lastPollAt() != null));
			assertThat(instance.state()).isEqualTo(State.RUNNING);
			assertThat(instance.pid()).isEqualTo(worker.pid());
			assertThat(instance.application()).isEqualTo("worker");
			assertThat(instance.applicationVersion()).isEqualTo("1.4.2");
			assertThat(instance.host()).isNotEmpty();
			assertThat(instance.self()).isFalse();
			assertThat(instance.startedAt()).isBefore(instance.seenAt());
			assertThat(instance.listeners()).singleElement()
				.returns(QUEUE, InstanceDescriptor.Listener::queue)
				.returns("close", InstanceDescriptor.Listener::id)
				.returns(true, InstanceDescriptor.Listener::running)
				.returns(3, InstanceDescriptor.Listener::concurrency)
				.returns(0, InstanceDescriptor.Listener::active);

			assertThat(worker.stop()).isTrue();
			await().until(() -> only(management), (seen) -> seen != null && seen.state() == State.STOPPED);
			queues.schedule(QUEUE, "task", "payload", Duration.ZERO);
			assertThat(trouble(management)).contains("The last consumer, " + instance.host() + ", was shut down at ");
		}
	}

	@Test
	void instanceOfAnotherVersionIsCounted() {
		try (ConfigurableApplicationContext here = run(Watching.class, "lettuce", url());
				ConfigurableApplicationContext other = run(Working.class, "lettuce", url())) {
			QueueManagement management = here.getBean(QueueManagement.class);
			await().until(() -> only(management), (seen) -> seen != null);
			this.redis.cli("HSET", "delay:queue:instances", "another", System.currentTimeMillis()
					+ " {\"host\":\"shop-1\",\"pid\":4711,\"version\":\"0.1.0\",\"startedAgo\":60000,\"every\":20000,"
					+ "\"complete\":true,\"later\":true,\"consumers\":[{\"listener\":\"close\",\"queue\":\"orders\",\"workers\":8,"
					+ "\"since\":59000,\"polledAgo\":412}]}");
			await()
				.untilAsserted(() -> assertThat(((QueueDescriptor) management.queue(QUEUE)).consumers()).isEqualTo(2));
			assertThat(instances(management)).hasSize(2);
			SpringApplication.exit(other);
			await()
				.untilAsserted(() -> assertThat(((QueueDescriptor) management.queue(QUEUE)).consumers()).isEqualTo(1));
		}
	}

	/** Once its queue is known too, which it announces apart from its trace. */
	private static InstanceDescriptor only(QueueManagement management) {
		if (!((QueuesDescriptor) management.view(Map.of())).queues().containsKey(QUEUE)) {
			return null;
		}
		List<InstanceDescriptor> instances = instances(management);
		assertThat(instances).hasSizeLessThan(2);
		return instances.isEmpty() ? null : instances.get(0);
	}

	private static List<InstanceDescriptor> instances(QueueManagement management) {
		return ((InstancesDescriptor) management.view(Map.of("view", "instances"))).instances();
	}

	private static String trouble(QueueManagement management) {
		return management.queue(QUEUE).trouble().stream().map(Trouble::sentence).toList().toString();
	}

	private String url() {
		return "spring.data.redis.url=" + this.redis.url();
	}

	private static ConfigurableApplicationContext run(Class<?> application, String driver, String... properties) {
		return new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.properties("spring.data.redis.client-type=" + driver, "spring.application.name=worker",
					"management.endpoint.delayqueue.access=unrestricted")
			.properties(properties)
			.run();
	}

	/** Apart from the others, because it counts lines of the output. */
	@Nested
	@Execution(ExecutionMode.SAME_THREAD)
	@ExtendWith(OutputCaptureExtension.class)
	class Rights {

		@ParameterizedTest
		@ValueSource(strings = { "lettuce", "jedis" })
		void userWithoutRightsToTheKeyHasOneLineInTheLogAndGoesOn(String driver, CapturedOutput output)
				throws Exception {
			InstancesIntegrationTests.this.redis.cli("ACL", "SETUSER", "shop", "on", ">secret", "resetkeys",
					"~delay:queue:{*", "~delay:queue:names", "resetchannels", "&delay:queue:*", "+@all");
			try (ConfigurableApplicationContext other = run(Working.class, driver,
					"spring.data.redis.port=" + InstancesIntegrationTests.this.redis.port(),
					"spring.data.redis.username=shop", "spring.data.redis.password=secret")) {
				DelayQueueOperations queues = other.getBean(DelayQueueOperations.class);
				for (int i = 1; i <= 3; i++) {
					queues.schedule(QUEUE, "task", "payload", Duration.ZERO);
					int expected = i;
					await().until(() -> queues.stats(QUEUE).totals().completed() == expected);
				}
				await().until(() -> output.getOut().contains("Other instances do not see what this one consumes"));
				QueueDescriptor queue = (QueueDescriptor) other.getBean(QueueManagement.class).queue(QUEUE);
				assertThat(queue.instances()).isNull();
				assertThat(queue.listeners()).hasSize(1);
			}
			assertThat(output.getOut())
				.containsOnlyOnce("Other instances do not see what this one consumes, which goes on: ");
		}

	}

	/** A process with a listener. */
	static final class Worker {

		private Worker() {
		}

		public static void main(String[] arguments) {
			run(Working.class, arguments[0], Stream.of(arguments).skip(1).toArray(String[]::new));
			System.out.println("ready");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@OnlyConsole
	static class Watching {

	}

	@Configuration(proxyBeanMethods = false)
	@OnlyConsole
	static class Working {

		@Bean
		BuildProperties buildProperties(Environment environment) {
			Properties entries = new Properties();
			entries.put("version", environment.getProperty("build.version", ""));
			entries.values().removeIf(""::equals);
			return new BuildProperties(entries);
		}

		@Bean
		Listeners listeners() {
			return new Listeners();
		}

	}

	static class Listeners {

		@DelayQueueListener(id = "close", queue = QUEUE, concurrency = "3")
		void close() {
		}

	}

}
