package io.github.delayqueue.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.journal.AfterCommitException;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.ScheduleResult;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.testsupport.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * {@code delay-queue.producer.transaction=after-commit} in an application, with
 * transactions of a database and a Redis.
 */
class AfterCommitIntegrationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, DelayQueueAutoConfiguration.class,
				DataSourceAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class))
		.withPropertyValues("spring.datasource.generate-unique-name=true",
				"delay-queue.key-prefix=after:" + UUID.randomUUID() + ":", "delay-queue.command-timeout=10s",
				"delay-queue.producer.transaction=after-commit");

	@Test
	void onlyWhatWasCommittedIsHandled() {
		this.contextRunner.withPropertyValues("spring.data.redis.url=" + TestRedis.url())
			.withBean(Handler.class)
			.run((context) -> {
				DelayQueueOperations operations = context.getBean(DelayQueueOperations.class);
				TransactionTemplate transaction = new TransactionTemplate(
						context.getBean(PlatformTransactionManager.class));
				TransactionTemplate nested = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
				nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
				operations.schedule("a", "cancelled", "cancelled", Duration.ofHours(1));
				transaction.executeWithoutResult((status) -> {
					operations.schedule("a", "rolled-back", "rolled-back", Duration.ZERO);
					operations.cancel("a", "cancelled");
					status.setRollbackOnly();
				});
				assertThat(operations.find("a", "cancelled")).isPresent();
				transaction.executeWithoutResult((status) -> {
					operations.schedule("a", "committed", "committed", Duration.ZERO);
					nested.executeWithoutResult((inner) -> {
						operations.schedule("a", "undone", "undone", Duration.ZERO);
						inner.setRollbackOnly();
					});
					assertThat(operations.find("a", "committed")).isEmpty();
					assertThat(operations.cancel("a", "cancelled")).isTrue();
					List<ScheduleResult> results = operations
						.scheduleAll(List.of(TaskRequest.queue("a").payload("bulk").build(),
								TaskRequest.queue("a")
									.id("committed")
									.payload("duplicate")
									.onDuplicate(DuplicatePolicy.REJECT)
									.build()));
					assertThat(results).extracting(ScheduleResult::outcome)
						.containsExactly(ScheduleOutcome.DEFERRED, ScheduleOutcome.REJECTED);
					assertThat(results.get(0).isAccepted()).isTrue();
				});
				operations.schedule("a", "last", "last", Duration.ZERO);
				Queue<String> handled = context.getBean(Handler.class).handled;
				await().until(() -> handled.contains("last") && handled.size() >= 3);
				assertThat(handled).containsExactlyInAnyOrder("committed", "bulk", "last");
				assertThat(operations.find("a", "cancelled")).isEmpty();
			});
	}

	@Test
	void redisThatIsAwayAfterTheCommitIsAnError() {
		try (RedisServer redis = RedisServer.startNew()) {
			this.contextRunner.withPropertyValues("spring.data.redis.url=" + redis.url()).run((context) -> {
				DelayQueueOperations operations = context.getBean(DelayQueueOperations.class);
				TransactionTemplate transaction = new TransactionTemplate(
						context.getBean(PlatformTransactionManager.class));
				operations.schedule("a", "before", "before", Duration.ofHours(1));
				assertThatExceptionOfType(AfterCommitException.class)
					.isThrownBy(() -> transaction.executeWithoutResult((status) -> {
						operations.schedule("a", "1", "1", Duration.ofHours(1));
						redis.pause();
					}))
					.withMessageContaining("The transaction has committed")
					.withCauseInstanceOf(StoreUnavailableException.class);
				redis.resume();
			});
		}
	}

	static class Handler {

		final Queue<String> handled = new ConcurrentLinkedQueue<>();

		@DelayQueueListener(queue = "a")
		void handle(String payload) {
			this.handled.add(payload);
		}

	}

}
