package io.github.delayqueue.console;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.Health;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.github.delayqueue.actuate.DelayQueueHealthIndicator;
import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.NonRetryable;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Each trouble as it comes about, on a real Redis: what endpoint, health and meters say
 * of it is the same.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Execution(ExecutionMode.CONCURRENT)
class TroubleIntegrationTests {

	private final CountDownLatch end = new CountDownLatch(1);

	private RedisServer redis;

	private ConfigurableApplicationContext application;

	private DelayQueueOperations queues;

	@BeforeAll
	void start() {
		this.redis = RedisServer.startNew();
		this.application = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.initializers((context) -> context.getBeanFactory().registerSingleton("end", this.end))
			.properties("spring.data.redis.url=" + this.redis.url(), "delay-queue.health.max-lag=2s")
			.run();
		this.queues = this.application.getBean(DelayQueueOperations.class);
	}

	@AfterAll
	void stop() {
		this.end.countDown();
		this.application.close();
		this.redis.close();
	}

	@Test
	void queueThatNobodyConsumes() {
		this.queues.schedule("misspelt", "a", null, Duration.ofDays(1));
		assertTrouble("misspelt", "unconsumed", false);
		assertThat(entry("misspelt").group()).isEqualTo(QueueEntry.Group.WORKING);
		this.queues.schedule("misspelt", "b", null, Duration.ZERO);
		assertTrouble("misspelt", "no-consumer", false);
		assertThat(health().getDetails()).hasEntrySatisfying("queuesWithoutConsumer",
				(names) -> assertThat(names).asInstanceOf(InstanceOfAssertFactories.LIST).contains("misspelt"));
		assertThat(entry("misspelt").trouble().get(0).sentence()).startsWith("No instance consumes it: 1 due");
	}

	@Test
	void queueThatIsPausedWithWork() {
		this.queues.schedule("paused", "a", null, Duration.ofDays(1));
		this.queues.pause("paused");
		this.queues.schedule("paused", "b", null, Duration.ZERO);
		assertTrouble("paused", "paused", false);
		assertThat(entry("paused").group()).isEqualTo(QueueEntry.Group.WARNING);
		this.queues.resume("paused");
		await().untilAsserted(() -> assertThat(entry("paused").trouble()).isEmpty());
	}

	@Test
	void queueWhoseTasksDie() {
		IntStream.range(0, 10).forEach((i) -> this.queues.schedule("dying", "task-" + i, null, Duration.ZERO));
		assertTrouble("dying", "dying", true);
		assertThat(entry("dying").trouble().get(0).sentence()).isEqualTo("10 died in the last hour (usually 0).");
	}

	@Test
	void queueThatFallsBehind() {
		this.queues.schedule("behind", "first", null, Duration.ZERO);
		this.queues.schedule("behind", "second", null, Duration.ZERO);
		assertTrouble("behind", "behind", true);
		assertThat(health().getStatus().getCode()).isEqualTo("DOWN");
	}

	@Test
	void queueWhoseHandlerHangs() {
		this.queues.schedule("hanging", "quick", null, Duration.ZERO);
		await().until(() -> this.queues.stats("hanging").totals().completed() == 1);
		this.queues.schedule("hanging", "slow", null, Duration.ZERO);
		assertTrouble("hanging", "hanging", true);
		assertThat(entry("hanging").trouble().get(0).sentence()).startsWith("A handler hangs: 'slow' on ");
		assertThat(entry("hanging")).asInstanceOf(InstanceOfAssertFactories.type(QueueDescriptor.class))
			.extracting(QueueDescriptor::instances, InstanceOfAssertFactories.list(InstanceDescriptor.class))
			.flatMap((instance) -> instance.listeners().get(0).calls())
			.extracting(InstanceDescriptor.Call::task)
			.containsExactly("slow");
	}

	/** The same everywhere: health knows of queues of its own that are not paused. */
	private void assertTrouble(String queue, String code, boolean inHealth) {
		await().untilAsserted(() -> {
			List<Trouble> trouble = entry(queue).trouble();
			assertThat(trouble).extracting(Trouble::code).containsExactly(code);
			assertThat(gauge(queue, code)).isEqualTo(1);
			if (inHealth) {
				assertThat(health().getDetails().get("trouble"))
					.asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
					.hasEntrySatisfying(queue, (lines) -> assertThat(lines.toString()).startsWith("[" + code + ": "));
			}
		});
	}

	private QueueEntry entry(String queue) {
		// so many look at the same time that one may have to come again
		return await().ignoreExceptionsInstanceOf(QueueRequestException.class)
			.until(() -> this.application.getBean(QueueManagement.class).queue(queue), Objects::nonNull);
	}

	private Health health() {
		return this.application.getBean(DelayQueueHealthIndicator.class).health();
	}

	private double gauge(String queue, String code) {
		return this.application.getBean(MeterRegistry.class)
			.get("delay.queue.trouble")
			.tags("queue", queue, "code", code)
			.gauge()
			.value();
	}

	@Configuration(proxyBeanMethods = false)
	@OnlyConsole
	static class Application {

		@Bean
		Listeners listeners(CountDownLatch end) {
			return new Listeners(end);
		}

		@Bean
		SimpleMeterRegistry meterRegistry() {
			return new SimpleMeterRegistry();
		}

	}

	record Listeners(CountDownLatch end) {

		@DelayQueueListener(queue = "paused")
		void handle() {
		}

		@DelayQueueListener(queue = "dying")
		void fail() {
			throw new Broken();
		}

		@DelayQueueListener(queue = "hanging", leaseDuration = "1s")
		void hangOften(DelayedTask<?> task) throws InterruptedException {
			if (task.id().equals("slow")) {
				this.end.await();
			}
		}

		@DelayQueueListener(queue = "behind", concurrency = "1")
		void hang() throws InterruptedException {
			this.end.await();
		}

	}

	@SuppressWarnings("serial")
	static class Broken extends RuntimeException implements NonRetryable {

	}

}
