package io.github.delayqueue.autoconfigure;

import java.time.Clock;
import java.time.Duration;
import java.util.Map;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

import io.github.delayqueue.actuate.DelayQueueHealthIndicator;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.failover.ServerInspection;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The look at the settings of Redis, in an application.
 */
@ExtendWith(OutputCaptureExtension.class)
class ServerCheckIntegrationTests {

	private static final String EVICTION = "has the maxmemory-policy allkeys-lru";

	private static final String PERSISTENCE = "writes nothing to disk";

	@AutoClose
	private static RedisServer server;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, DelayQueueAutoConfiguration.class,
				DelayQueueHealthContributorAutoConfiguration.class))
		.withPropertyValues("spring.data.redis.url=" + server.url());

	@BeforeAll
	static void startServer() {
		server = RedisServer.builder().arguments("--maxmemory-policy", "allkeys-lru").build().start();
	}

	@Test
	void warnsOnceAtTheStartHoweverManyQueuesAreConsumed(CapturedOutput output) {
		this.contextRunner.withBean(Listeners.class).run((context) -> {
			awaitWarnings(output);
			Health health = health(context);
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails().get("redis"))
				.asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
				.containsEntry("role", "primary")
				.containsEntry("maxmemoryPolicy", "allkeys-lru")
				.containsEntry("persistence", "none")
				.containsEntry("readsFromReplicas", false)
				.containsKeys("version", "warnings");
			assertThat(output).containsOnlyOnce(EVICTION).containsOnlyOnce(PERSISTENCE);
		});
	}

	@Test
	void applicationThatOnlySchedulesIsWarnedWhenItDoes(CapturedOutput output) {
		this.contextRunner
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> {
				assertThat(output).doesNotContain(EVICTION);
				context.getBean(DelayQueueOperations.class).schedule("q", "a", "payload", Duration.ofHours(1));
				awaitWarnings(output);
			});
	}

	@Test
	void readsFromReplicasByThePropertyOfSpringBootAreKnown() {
		this.contextRunner.withPropertyValues("spring.data.redis.lettuce.read-from=replica-preferred")
			.run((context) -> assertThat(context.getBean(ServerInspection.class).report())
				.hasValueSatisfying((report) -> assertThat(report.readsFromReplicas()).isTrue()));
	}

	@Test
	void silentWhenSwitchedOff(CapturedOutput output) {
		this.contextRunner.withBean(Listeners.class)
			.withPropertyValues("delay-queue.server-check.enabled=false")
			.run((context) -> {
				assertThat(context).hasNotFailed().doesNotHaveBean(ServerInspection.class);
				context.getBean(DelayQueueOperations.class).schedule("q", "a", "payload", Duration.ofHours(1));
				assertThat(health(context).getDetails()).doesNotContainKey("redis");
				assertThat(output).doesNotContain(EVICTION);
			});
	}

	@Test
	void storeInMemoryHasNoServer() {
		this.contextRunner.withBean(InMemoryTaskStore.class, () -> new InMemoryTaskStore(Clock.systemUTC()))
			.run((context) -> {
				assertThat(context).hasNotFailed().doesNotHaveBean(ServerInspection.class);
				assertThat(health(context).getDetails()).isEqualTo(Map.of());
			});
	}

	private static void awaitWarnings(CapturedOutput output) {
		await().until(() -> output.getOut().contains(EVICTION) && output.getOut().contains(PERSISTENCE));
	}

	private static Health health(ApplicationContext context) {
		return context.getBean(DelayQueueHealthIndicator.class).health();
	}

	static class Listeners {

		@DelayQueueListener(queue = "one")
		void one(String payload) {
		}

		@DelayQueueListener(queue = "two")
		void two(String payload) {
		}

	}

}
