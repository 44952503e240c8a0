package io.github.delayqueue.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskDetails;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Several instances of an application with a listener that only has a clock, on a real
 * Redis.
 */
class RecurringTasksIntegrationTests {

	private static final String QUEUE = "clock";

	private static final String ID = "ticker";

	/** When the runs of all instances were due. */
	private static final Queue<Instant> runs = new ConcurrentLinkedQueue<>();

	private final RedisServer server = RedisServer.builder().build().start();

	@AfterEach
	void close() {
		this.server.close();
		runs.clear();
	}

	@Test
	void runsAreSharedByInstancesThatComeAndGo() {
		try (ConfigurableApplicationContext first = run("1s")) {
			DelayQueueOperations operations = first.getBean(DelayQueueOperations.class);
			try (ConfigurableApplicationContext second = run("1s"); ConfigurableApplicationContext third = run("1s")) {
				await().until(() -> runs.size() >= 2);
				assertThat(second.isActive() && third.isActive()).isTrue();
			}
			int before = runs.size();
			await().until(() -> runs.size() > before);
			assertThat(operations.stats(QUEUE).totals().replaced()).isZero();
		}
		assertThat(runs).doesNotHaveDuplicates();
		Instant start = runs.element();
		assertThat(runs).allMatch((run) -> Duration.between(start, run).toMillis() % 1000 == 0);
	}

	@Test
	void cancelledTaskIsBackWithTheNextStartAndChangedTimesReplaceIt() {
		try (ConfigurableApplicationContext context = run("1h")) {
			DelayQueueOperations operations = context.getBean(DelayQueueOperations.class);
			await().until(() -> operations.find(QUEUE, ID).isPresent());
			assertThat(operations.cancel(QUEUE, ID)).isTrue();
			assertThat(operations.find(QUEUE, ID)).isEmpty();
		}
		try (ConfigurableApplicationContext context = run("1h")) {
			DelayQueueOperations operations = context.getBean(DelayQueueOperations.class);
			await().until(() -> operations.find(QUEUE, ID).isPresent());
		}
		try (ConfigurableApplicationContext context = run("2h")) {
			DelayQueueOperations operations = context.getBean(DelayQueueOperations.class);
			await().untilAsserted(() -> assertThat(operations.find(QUEUE, ID)).map(TaskDetails::recurrence)
				.map(Object::toString)
				.contains("every 2 h"));
			assertThat(operations.list(QUEUE, TaskState.SCHEDULED, 0, 10)).hasSize(1);
		}
		assertThat(runs).isEmpty();
	}

	@Test
	void applicationStartsWithoutRedisAndSchedulesItsTaskLater() {
		this.server.stop();
		try (ConfigurableApplicationContext context = run("1s")) {
			this.server.start();
			await().until(() -> runs.size() >= 2);
			assertThat(context.isActive()).isTrue();
		}
	}

	private ConfigurableApplicationContext run(String every) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties("spring.data.redis.host=" + this.server.host(), "spring.data.redis.port=" + this.server.port(),
					"ticker.every=" + every, "delay-queue.command-timeout=10s")
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@OnlyDelayQueue
	static class Application {

		@Bean
		Ticker ticker() {
			return new Ticker();
		}

	}

	static class Ticker {

		@DelayQueueListener(queue = QUEUE, id = ID, every = "${ticker.every}")
		void tick(DelayedTask<?> task) {
			runs.add(task.dueAt());
		}

	}

}
