package io.github.delayqueue.test;

import java.util.List;

import javax.sql.DataSource;

import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.test.context.TestContextManager;
import org.springframework.transaction.PlatformTransactionManager;

import io.github.delayqueue.journal.Journal;
import io.github.delayqueue.migration.Destination;
import io.github.delayqueue.migration.MigrationRunner;
import io.github.delayqueue.migration.MigrationSettings;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What an application declares itself, and would work on data that are not the test's.
 */
class RefusedBeansTests {

	@Test
	void moverOfTheApplicationsOwnIsRefused() {
		assertThatContextOf(OwnMover.class).hasMessageContaining("'mover'").hasMessageContaining("by a profile");
	}

	@Test
	void journalOfTheApplicationsOwnIsRefused() {
		assertThatContextOf(OwnJournal.class).hasMessageContaining("'journal'").hasMessageContaining("by a profile");
	}

	private static AbstractThrowableAssert<?, ? extends Throwable> assertThatContextOf(Class<?> test) {
		return assertThatThrownBy(() -> new TestContextManager(test).getTestContext().getApplicationContext())
			.rootCause();
	}

	@DelayQueueTest(classes = { WholeApplication.class, OwnMover.Configuration.class })
	static class OwnMover {

		@TestConfiguration(proxyBeanMethods = false)
		static class Configuration {

			@Bean
			@Lazy
			MigrationRunner mover(RedisConnectionFactory connectionFactory, Destination destination,
					MigrationSettings settings) {
				return new MigrationRunner(List.of(), connectionFactory, destination, settings);
			}

		}

	}

	@DelayQueueTest(classes = { WholeApplication.class, OwnJournal.Configuration.class })
	static class OwnJournal {

		@TestConfiguration(proxyBeanMethods = false)
		static class Configuration {

			@Bean
			Journal journal(DataSource dataSource, PlatformTransactionManager transactionManager) {
				return Journal.builder(dataSource, transactionManager).queues((queue) -> true).build();
			}

		}

	}

}
