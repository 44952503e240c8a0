package io.github.delayqueue.autoconfigure;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.NotReplicatedException;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * {@code delay-queue.producer.min-replicas} in an application.
 */
@Execution(ExecutionMode.CONCURRENT)
class MinReplicasIntegrationTests {

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void taskThatIsNotReplicatedIsHandledAllTheSame(String driver) {
		try (RedisServer primary = RedisServer.builder().arguments("--repl-diskless-sync-delay", "0").build().start();
				RedisServer replica = RedisServer.builder()
					.arguments("--replicaof", primary.host() + " " + primary.port())
					.build()
					.start()) {
			await().until(() -> primary.cli("INFO", "replication").toString().contains("state=online")
					&& replica.cli("INFO", "replication").toString().contains("master_link_status:up"));
			new ApplicationContextRunner()
				.withConfiguration(
						AutoConfigurations.of(DataRedisAutoConfiguration.class, DelayQueueAutoConfiguration.class))
				.withPropertyValues("spring.data.redis.url=" + primary.url(), "spring.data.redis.client-type=" + driver,
						"delay-queue.command-timeout=5s", "delay-queue.queues.safe.producer.min-replicas=1")
				.withBean(Handlers.class)
				.run((context) -> {
					DelayQueueOperations operations = context.getBean(DelayQueueOperations.class);
					Queue<String> handled = context.getBean(Handlers.class).handled;
					operations.schedule("safe", "replicated", "replicated", Duration.ZERO);
					replica.pause();
					assertThatExceptionOfType(NotReplicatedException.class)
						.isThrownBy(() -> operations.schedule("safe", "alone", "alone", Duration.ZERO))
						.satisfies((ex) -> assertThat(ex.getReplicas()).isZero());
					operations.schedule("fast", "unasked", "unasked", Duration.ZERO);
					await().until(() -> handled.size() == 3);
					assertThat(handled).containsExactlyInAnyOrder("replicated", "alone", "unasked");
				});
		}
	}

	static class Handlers {

		final Queue<String> handled = new ConcurrentLinkedQueue<>();

		@DelayQueueListener(queue = "safe")
		void safe(String payload) {
			this.handled.add(payload);
		}

		@DelayQueueListener(queue = "fast")
		void fast(String payload) {
			this.handled.add(payload);
		}

	}

}
