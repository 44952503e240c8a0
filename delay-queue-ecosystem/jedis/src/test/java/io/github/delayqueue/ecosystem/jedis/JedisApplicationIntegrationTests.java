package io.github.delayqueue.ecosystem.jedis;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.util.ClassUtils;

import io.github.delayqueue.actuate.DelayQueueHealth;
import io.github.delayqueue.ecosystem.jedis.JedisApplication.Listener;
import io.github.delayqueue.failover.DriverRuntimeHints;
import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.awaitility.Awaitility.await;

/**
 * All of it by Jedis. Nothing but the wake channel is quick here: the consumer polls once
 * in a minute.
 */
class JedisApplicationIntegrationTests {

	private static ConfigurableApplicationContext application;

	private final DelayQueueOperations delayQueue = application.getBean(DelayQueueOperations.class);

	private final List<String> handled = application.getBean(Listener.class).handled();

	@BeforeAll
	static void start() {
		application = SpringApplication.run(JedisApplication.class, RedisServer.shared().argument(),
				"--delay-queue.listener.poll-interval=1m", "--delay-queue.health.max-lag=1m");
		await().until(() -> RedisServer.shared().text("PUBSUB", "NUMSUB", "delay:queue:{jedis}:wake").endsWith(", 1]"));
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	@Test
	void lettuceIsNotOnTheClassPath() {
		assertThat(ClassUtils.isPresent("io.lettuce.core.RedisClient", null)).isFalse();
		assertThat(application.getBean(RedisConnectionFactory.class)).isInstanceOf(JedisConnectionFactory.class);
	}

	@Test
	void hintsForNativeImagesNeedNoLettuce() {
		assertThatNoException().isThrownBy(() -> new DriverRuntimeHints().registerHints(new RuntimeHints(), null));
	}

	@Test
	void healthAndMetersAreThereWithoutTheConsole() {
		assertThat(ClassUtils.isPresent("io.github.delayqueue.console.QueueManagement", null)).isFalse();
		assertThat(application.containsBean("delayQueueHealthIndicator")).isTrue();
		DelayQueueHealth.Result health = application.getBean(DelayQueueHealth.class).check();
		assertThat(health.error()).isNull();
		assertThat(health.details()).containsKey("listeners").doesNotContainKey("trouble");
		MeterRegistry meters = application.getBean(MeterRegistry.class);
		assertThat(meters.get("delay.queue.tasks").tag("queue", "jedis").gauges()).isNotEmpty();
		assertThat(meters.find("delay.queue.trouble").gauges()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "journal.enabled=true", "journal.timeout=7s", "queues.jedis.journal.enabled=true",
			"producer.transaction=after-commit" })
	void whatNeedsTheJournalStopsTheStartWithoutIt(String property) {
		assertThat(ClassUtils.isPresent("io.github.delayqueue.journal.Journal", null)).isFalse();
		assertThatException()
			.isThrownBy(() -> SpringApplication.run(JedisApplication.class, RedisServer.shared().argument(),
					"--delay-queue." + property))
			.havingRootCause()
			.withMessageContaining("delay-queue-journal")
			.withMessageContaining("on the class path");
	}

	@Test
	void taskIsHandledAsSoonAsTheChannelSaysSo() {
		this.delayQueue.schedulePayload("jedis", "single", Duration.ofMillis(100));
		await().untilAsserted(() -> assertThat(this.handled).contains("single"));
	}

	@Test
	void manyTasksAreHandledOnceEach() {
		List<String> payloads = IntStream.range(0, 1200).mapToObj((i) -> "task-" + i).toList();
		this.delayQueue.scheduleAll(
				payloads.stream().map((payload) -> TaskRequest.queue("jedis").payload(payload).build()).toList());
		await().untilAsserted(() -> assertThat(this.handled).filteredOn((payload) -> payload.startsWith("task-"))
			.containsExactlyInAnyOrderElementsOf(payloads));
	}

}
