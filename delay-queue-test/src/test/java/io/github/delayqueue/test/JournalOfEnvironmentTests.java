package io.github.delayqueue.test;

import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.delayqueue.config.DelayQueueSettings;
import io.github.delayqueue.journal.Journal;
import io.github.delayqueue.producer.DelayQueueOperations;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A journal that environment variables ask for, in their own spelling, is left out too.
 */
@SpringBootTest(classes = WholeApplication.class)
@ContextConfiguration(initializers = JournalOfEnvironmentTests.Variables.class)
@DelayQueueTest
class JournalOfEnvironmentTests {

	@Autowired
	private DelayQueueOperations delayQueue;

	@Autowired
	private DelayQueueTester tester;

	@Autowired
	private TransactionTemplate transactions;

	@Test
	void journalIsLeftOut(@Autowired ApplicationContext context, @Autowired DelayQueueSettings settings) {
		assertThat(context.getEnvironment().getProperty("delay-queue.queues.orders.journal.enabled")).isEqualTo("true");
		assertThat(context.getBeanProvider(Journal.class).stream()).isEmpty();
		assertThat(settings.hasJournal()).isFalse();
		assertThat(settings.forQueue("orders").concurrency()).isEqualTo(3);
	}

	@Test
	void whatIsScheduledIsThereAfterTheCommit() {
		this.transactions.executeWithoutResult((status) -> {
			this.delayQueue.schedule("orders", "order-1", "book", Duration.ofDays(100));
			assertThat(this.tester.queue("orders")).hasNoScheduled("order-1");
		});
		assertThat(this.tester.queue("orders")).hasScheduled("order-1").dueIn(Duration.ofDays(100));
	}

	static class Variables implements ApplicationContextInitializer<ConfigurableApplicationContext> {

		@Override
		public void initialize(ConfigurableApplicationContext context) {
			String name = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
			context.getEnvironment()
				.getPropertySources()
				.replace(name,
						new SystemEnvironmentPropertySource(name, Map.of("DELAYQUEUE_QUEUES_ORDERS_JOURNAL_ENABLED",
								"true", "DELAYQUEUE_QUEUES_ORDERS_LISTENER_CONCURRENCY", "3")));
		}

	}

}
