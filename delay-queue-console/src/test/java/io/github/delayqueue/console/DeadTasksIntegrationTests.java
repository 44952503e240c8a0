package io.github.delayqueue.console;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.github.delayqueue.NonRetryable;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Whether the stack traces of dead letters are kept, by who may see them.
 */
@Execution(ExecutionMode.CONCURRENT)
class DeadTasksIntegrationTests {

	private static final String QUEUE = "letters";

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
					assertThat(((TaskDescriptor) management.view(QUEUE, "tasks", Map.of("id", shown),
							SecurityContext.NONE))
						.lastFailure()
						.trace()).isNull();
					queues.clear(QUEUE);
				}
			}
		}
	}

	private static ConfigurableApplicationContext start(RedisServer redis, String property) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties("spring.data.redis.url=" + redis.url(), property)
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@OnlyConsole
	static class Application {

		@Bean
		Partner partner() {
			return new Partner();
		}

	}

	static class Partner {

		@DelayQueueListener(queue = QUEUE)
		void call() {
			throw new Away();
		}

		static class Away extends RuntimeException implements NonRetryable {

			private static final long serialVersionUID = 1L;

		}

	}

}
