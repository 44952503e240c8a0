package io.github.delayqueue.actuate;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.github.delayqueue.NonRetryable;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.autoconfigure.OnlyDelayQueue;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.testsupport.Patience;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A group of dead tasks is redriven while consumers run, stopped and resumed, on a real
 * Redis. {@code -Ddead.tasks=100000} for as many, and the log at debug for how long each
 * call took.
 */
@Execution(ExecutionMode.CONCURRENT)
class DeadTasksIntegrationTests {

	private static final Logger logger = LoggerFactory.getLogger(DeadTasksIntegrationTests.class);

	private static final int TASKS = Integer.getInteger("dead.tasks", 3000);

	private static final Duration PATIENCE = Patience.LIMIT.multipliedBy(1 + TASKS / 20_000);

	private static final String QUEUE = "letters";

	/** Thousands of lines say nothing more. */
	@BeforeAll
	static void silence() {
		Stream.of("run.TaskRun", "listener.CallEnd")
			.map((name) -> LoggerFactory.getLogger("io.github.delayqueue." + name))
			.forEach((silenced) -> ((ch.qos.logback.classic.Logger) silenced).setLevel(Level.ERROR));
	}

	@AfterAll
	static void speak() {
		Stream.of("run.TaskRun", "listener.CallEnd")
			.map((name) -> LoggerFactory.getLogger("io.github.delayqueue." + name))
			.forEach((silenced) -> ((ch.qos.logback.classic.Logger) silenced).setLevel(null));
	}

	@Test
	void groupIsRedrivenWhileConsumersRunStoppedAndResumed() {
		try (RedisServer redis = RedisServer.startNew(); ConfigurableApplicationContext application = start(redis)) {
			DelayQueueOperations queues = application.getBean(DelayQueueOperations.class);
			QueueManagement management = application.getBean(QueueManagement.class);
			Partner partner = application.getBean(Partner.class);
			schedule(queues, "hook", TASKS);
			schedule(queues, "broken", 100);
			await().atMost(PATIENCE).until(() -> queues.stats(QUEUE).dead(), (dead) -> dead == TASKS + 100);
			redis.cli("CONFIG", "SET", "slowlog-log-slower-than", "5000");
			redis.cli("SLOWLOG", "RESET");
			DeadDescriptor dead = count(management);
			for (long before = 0; !dead.complete(); dead = count(management)) {
				assertThat(dead.tasks()).as("it goes on").isGreaterThan(before);
				before = dead.tasks();
			}
			assertThat(dead.causes()).hasSize(2);
			DeadDescriptor.Cause away = dead.causes().get(0);
			assertThat(away.failure()).extracting(TaskFailure::message).asString().contains("503");
			timed("first page", () -> management.view(QUEUE, "tasks",
					Map.of("state", "DEAD", "cause", away.cause(), "limit", "50"), SecurityContext.NONE));
			timed("queue", () -> management.queue(QUEUE));
			partner.back = true;
			Set<Long> progress = new HashSet<>();
			long redriven = 0;
			String cursor = null;
			int calls = 0;
			do {
				// whoever stops after any of them goes on with its cursor
				ActionDescriptor step = redrive(management, away, cursor);
				redriven += (step.tasks() != null) ? step.tasks() : 0;
				assertThat(step.tasks()).isLessThanOrEqualTo(500);
				progress.add(redriven);
				cursor = step.cursor();
				calls++;
			}
			while (cursor != null);
			logger.debug("scripts slower than 5 ms: {}", redis.cli("SLOWLOG", "GET", "3"));
			assertThat(redriven).isEqualTo(away.tasks());
			assertThat(progress).hasSizeGreaterThanOrEqualTo(TASKS / 500);
			assertThat(calls).isLessThanOrEqualTo(TASKS / 500 + 2);
			assertThat(count(management).tasks()).as("what was counted before is forgotten").isEqualTo(100);
			await().atMost(PATIENCE).until(() -> partner.handled.size(), (handled) -> handled == TASKS);
			assertThat(queues.stats(QUEUE).dead()).isEqualTo(100);
			assertThat(queues.list(QUEUE, TaskState.DEAD, 0, 500)).allMatch((task) -> task.id().startsWith("broken"));
		}
	}

	@Test
	void stackTracesAreKeptUnlessTheyAreShownToNobody() {
		try (RedisServer redis = RedisServer.startNew()) {
			for (String shown : List.of("never", "when-authorized")) {
				try (ConfigurableApplicationContext application = start(redis,
						"management.endpoint.delayqueue.show-values=" + shown)) {
					DelayQueueOperations queues = application.getBean(DelayQueueOperations.class);
					queues.schedule(QUEUE, shown, null, Duration.ZERO);
					await().until(() -> queues.stats(QUEUE).dead() > 0);
					TaskFailure failure = queues.find(QUEUE, shown).orElseThrow().lastFailure();
					if (shown.equals("never")) {
						assertThat(failure.trace()).isNull();
					}
					else {
						assertThat(failure.trace()).startsWith(Partner.Away.class.getName() + "\n  at "
								+ Partner.class.getName() + ".call(DeadTasksIntegrationTests.java:");
					}
					QueueManagement management = application.getBean(QueueManagement.class);
					assertThat(management.task(QUEUE, shown, SecurityContext.NONE).lastFailure().trace()).isNull();
					queues.clear(QUEUE);
				}
			}
		}
	}

	private static ActionDescriptor redrive(QueueManagement management, DeadDescriptor.Cause cause,
			@Nullable String cursor) {
		Map<String, @Nullable String> arguments = new HashMap<>();
		arguments.put("cause", cause.cause());
		arguments.put("until", cause.last().toString());
		arguments.put("cursor", cursor);
		return timed("redrive",
				() -> (ActionDescriptor) management.act(QUEUE, "redrive", arguments, SecurityContext.NONE));
	}

	private static DeadDescriptor count(QueueManagement management) {
		return timed("count", () -> (DeadDescriptor) management.view(QUEUE, "dead", Map.of(), SecurityContext.NONE));
	}

	private static <T> T timed(String what, Supplier<T> step) {
		long start = System.nanoTime();
		T answer = step.get();
		logger.debug("{}: {} us", what, (System.nanoTime() - start) / 1000);
		return answer;
	}

	private static void schedule(DelayQueueOperations queues, String prefix, int tasks) {
		for (int from = 0; from < tasks; from += 2000) {
			queues.scheduleAll(IntStream.range(from, Math.min(from + 2000, tasks))
				.mapToObj((i) -> TaskRequest.queue(QUEUE).id(prefix + "-" + i).build())
				.toList());
		}
	}

	private static ConfigurableApplicationContext start(RedisServer redis, String... properties) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties("spring.data.redis.url=" + redis.url(), "management.endpoint.delayqueue.access=unrestricted")
			.properties(properties)
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@OnlyDelayQueue
	static class Application {

		@Bean
		Partner partner() {
			return new Partner();
		}

	}

	/** Whose server is away at first. */
	static class Partner {

		private final Set<String> handled = ConcurrentHashMap.newKeySet();

		private volatile boolean back;

		@DelayQueueListener(queue = QUEUE, concurrency = "16")
		void call(String id) {
			if (id.startsWith("broken")) {
				throw new Away("The address of '" + id + "' is no URL");
			}
			if (!this.back) {
				throw new Away("Partner answered 503 to " + id);
			}
			this.handled.add(id);
		}

		static class Away extends RuntimeException implements NonRetryable {

			private static final long serialVersionUID = 1L;

			Away(String message) {
				super(message);
			}

		}

	}

}
