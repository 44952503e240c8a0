package io.github.delayqueue.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.testsupport.ChildJvm;
import io.github.delayqueue.testsupport.Patience;
import io.github.delayqueue.testsupport.TestRedis;
import io.github.delayqueue.testsupport.TestRedisConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An application that ends, with all phases of its context, on a real Redis.
 */
class ShutdownIntegrationTests {

	private final String prefix = "shutdown:" + UUID.randomUUID() + ":";

	@Test
	void handlerThatDoesNotEndInTimeIsInterruptedAndItsTaskHandedBackUncharged() throws InterruptedException {
		CountDownLatch started = new CountDownLatch(1);
		try (ConfigurableApplicationContext context = run()) {
			context.getBean(DelayQueueListenerContainerRegistry.class)
				.register("slow", String.class, (task, delivery) -> {
					started.countDown();
					new CountDownLatch(1).await();
					return TaskResult.done();
				}, ListenerOptions.builder().shutdownTimeout(Duration.ofMillis(100)).build());
			context.getBean(DelayQueueOperations.class).schedule("slow", "a", "payload", Duration.ZERO);
			assertThat(started.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
		}
		assertThat(TestRedis.cli("ZRANGE", this.prefix + "{slow}", "0", "-1")).isEqualTo(List.of("a"));
		assertThat(TestRedis.cli("EXISTS", this.prefix + "{slow}:leases")).isEqualTo(0L);
		assertThat(TestRedis.cli("HGET", this.prefix + "{slow}:deliveries", "a")).as("charges").isNull();
	}

	/** Its outcome is sent while the application still has connections. */
	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void handlerThatClosesItsApplicationHasDoneItsTask(String client) throws InterruptedException {
		CountDownLatch closed = new CountDownLatch(1);
		ConfigurableApplicationContext context = new SpringApplicationBuilder(Plain.class).web(WebApplicationType.NONE)
			.properties("delay-queue.key-prefix=" + this.prefix, "spring.data.redis.client-type=" + client,
					"spring.data.redis.host=" + TestRedis.host(), "spring.data.redis.port=" + TestRedis.port())
			.run();
		context.getBean(DelayQueueListenerContainerRegistry.class)
			.register("closing", String.class, (task, delivery) -> {
				context.close();
				closed.countDown();
				return TaskResult.done();
			}, ListenerOptions.builder().shutdownTimeout(Patience.LIMIT.multipliedBy(2)).build());
		context.getBean(DelayQueueOperations.class).schedule("closing", "a", "payload", Duration.ZERO);
		assertThat(closed.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).as("did not wait for itself").isTrue();
		assertThat(TestRedis.cli("HGET", this.prefix + "{closing}:meta", "completed")).isEqualTo("1");
		assertThat(TestRedis.cli("EXISTS", this.prefix + "{closing}:tasks")).isEqualTo(0L);
	}

	/** Whether it meant to be done with its task nobody knows: it is delivered again. */
	@Test
	void handlerThatEndsItsJvmIsNotWaitedFor(@TempDir Path folder) {
		try (ChildJvm child = ChildJvm.of(Exiting.class, this.prefix, TestRedis.url())
			.start(folder.resolve("exiting.log"))) {
			assertThat(child.awaitEnd(Patience.LIMIT)).isEqualTo(Exiting.STATUS);
			assertThat(child.log()).containsOnlyOnce("again when the lease has run out: [a]")
				.containsOnlyOnce("again when the lease has run out: [later]");
		}
		assertThat(TestRedis.cli("ZCARD", this.prefix + "{exiting}:leases")).isEqualTo(2L);
	}

	private ConfigurableApplicationContext run() {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties("delay-queue.key-prefix=" + this.prefix)
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@OnlyDelayQueue
	@Import(TestRedisConfiguration.class)
	static class Application {

	}

	/** An application whose handlers end the JVM, one of them while it is ending. */
	static class Exiting {

		static final int STATUS = 3;

		public static void main(String[] args) {
			ConfigurableApplicationContext context = new SpringApplicationBuilder(Plain.class)
				.web(WebApplicationType.NONE)
				.properties("delay-queue.key-prefix=" + args[0], "spring.data.redis.url=" + args[1])
				.run();
			DelayQueueListenerContainerRegistry registry = context.getBean(DelayQueueListenerContainerRegistry.class);
			CountDownLatch both = new CountDownLatch(2);
			registry.register("exiting", String.class, (task, delivery) -> {
				both.countDown();
				both.await();
				if (task.id().equals("later")) {
					await().until(() -> !registry.get("exiting").isRunning());
					// long after the container has looked first
					await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
				}
				System.exit(STATUS);
				return TaskResult.done();
			}, ListenerOptions.builder().shutdownTimeout(Patience.LIMIT.multipliedBy(2)).build());
			DelayQueueOperations queues = context.getBean(DelayQueueOperations.class);
			queues.schedule("exiting", "a", "payload", Duration.ZERO);
			queues.schedule("exiting", "later", "payload", Duration.ZERO);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@OnlyDelayQueue
	static class Plain {

	}

}
