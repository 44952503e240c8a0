package io.github.delayqueue.config;

import java.time.Clock;
import java.time.Duration;
import java.util.UUID;

import javax.sql.DataSource;

import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.DatabasePopulatorUtils;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

import io.github.delayqueue.journal.Journal;
import io.github.delayqueue.journal.JournaledTaskStore;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * A journal that is declared by hand, as {@code docs/guide/journal.md} says.
 */
class JournalWithoutBootTests {

	@Test
	void declaredJournalIsUsed() {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Application.class)) {
			assertThat(context.getBean(TaskStore.class)).isInstanceOf(JournaledTaskStore.class);
			DelayQueueOperations operations = context.getBean(DelayQueueOperations.class);
			operations.schedule("order_timeout", "1", "payload", Duration.ofHours(9));
			assertThat(operations.stats("order_timeout").inDatabaseOnly()).isEqualTo(1);
		}
	}

	@Test
	void queueThatIsToHaveAJournalWithoutOneIsAnError() {
		assertThatException().isThrownBy(() -> new AnnotationConfigApplicationContext(WithoutJournal.class).close())
			.havingRootCause()
			.isInstanceOfSatisfying(JournalRequirementException.class,
					(ex) -> assertThat(ex.getRemedy()).contains("Journal.builder("))
			.withMessage(
					"Queue 'order_timeout' has a journal (delay-queue.queues.order_timeout.journal.enabled), and there is "
							+ "no bean of type Journal");
	}

	private static DelayQueueSettings settings() {
		DelayQueueSettings settings = DelayQueueSettings.defaults();
		return settings.withQueue("order_timeout", QueueOptions.builder().journal(true).build());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableDelayQueue
	static class Application {

		@Bean
		InMemoryTaskStore store() {
			return new InMemoryTaskStore(Clock.systemUTC());
		}

		@Bean
		DelayQueueSettings delayQueueSettings() {
			return settings();
		}

		@Bean
		DataSource dataSource() {
			DataSource dataSource = new DriverManagerDataSource(
					"jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
			DatabasePopulatorUtils.execute(
					new ResourceDatabasePopulator(new ClassPathResource("io/github/delayqueue/journal/schema-h2.sql")),
					dataSource);
			return dataSource;
		}

		@Bean
		PlatformTransactionManager transactionManager(DataSource dataSource) {
			return new JdbcTransactionManager(dataSource);
		}

		@Bean
		Journal journal(DataSource dataSource, PlatformTransactionManager transactionManager,
				DelayQueueSettings settings) {
			return Journal.builder(dataSource, transactionManager).queues(settings::journal).build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableDelayQueue
	static class WithoutJournal {

		@Bean
		InMemoryTaskStore store() {
			return new InMemoryTaskStore(Clock.systemUTC());
		}

		@Bean
		DelayQueueSettings delayQueueSettings() {
			return settings();
		}

	}

}
