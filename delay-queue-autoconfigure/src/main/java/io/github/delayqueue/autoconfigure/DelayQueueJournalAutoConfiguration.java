package io.github.delayqueue.autoconfigure;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;

import io.github.delayqueue.config.DelayQueueSettings;
import io.github.delayqueue.journal.Journal;
import io.github.delayqueue.options.OptionTable;

/**
 * Auto-configuration of the journal: nothing unless the properties say that a queue has
 * one. Then it is an error if there is no data source, or it is not clear which one is
 * meant. The store that has the journal is declared by
 * {@link io.github.delayqueue.config.JournalConfiguration} once there is a
 * {@link Journal}. Public because auto-configurations are referred to by class.
 */
@AutoConfiguration(before = DelayQueueAutoConfiguration.class,
		afterName = { "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
				"org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
				"org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
				"org.springframework.boot.transaction.jta.autoconfigure.JtaAutoConfiguration",
				"org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
				"org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration",
				"org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration",
				"org.springframework.boot.autoconfigure.transaction.jta.JtaAutoConfiguration" })
@ConditionalOnClass({ Journal.class, RedisConnectionFactory.class, JdbcClient.class, PlatformTransactionManager.class })
@ConditionalOnBooleanProperty(name = "delay-queue.enabled", matchIfMissing = true)
@Conditional(OnJournalCondition.class)
@ConditionalOnMissingBean(Journal.class)
@EnableConfigurationProperties(DelayQueueProperties.class)
@Import(JournalDatabase.class)
public final class DelayQueueJournalAutoConfiguration implements AopInfrastructureBean {

	@Bean
	@DependsOnDatabaseInitialization
	Journal delayQueueJournal(JournalDatabase database, DelayQueueSettings settings, DelayQueueProperties properties) {
		DelayQueueProperties.Journal journal = properties.journal();
		return Journal.builder(database.dataSource(), database.transactionManager())
			.queues(settings::journal)
			.completedKept((queue) -> !settings.forQueue(queue).get(OptionTable.COMPLETED_RETENTION).isZero())
			.horizon(journal.horizon())
			.timeout(journal.timeout())
			.loadInterval(journal.loadInterval())
			.batchSize(journal.batchSize())
			.routing(journal.routing())
			.build();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(DataSourceScriptDatabaseInitializer.class)
	@Import(DatabaseInitializationDependencyConfigurer.class)
	static class SchemaConfiguration {

		/** Spring Boot's condition for it is not in the same package in 3 and 4. */
		@Bean
		@ConditionalOnMissingBean
		@ConditionalOnExpression("!'never'.equalsIgnoreCase(environment.getProperty('delay-queue.journal.initialize-schema'))")
		DelayQueueJournalSchemaInitializer delayQueueJournalSchemaInitializer(JournalDatabase database,
				DelayQueueProperties properties) {
			return new DelayQueueJournalSchemaInitializer(database.dataSource(), properties.journal());
		}

	}

}
