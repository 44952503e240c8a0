package io.github.delayqueue.autoconfigure;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.config.DelayQueueConnectionFactory;
import io.github.delayqueue.config.DelayQueueSettings;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.migration.Destination;
import io.github.delayqueue.migration.Migration;
import io.github.delayqueue.migration.MigrationRunner;
import io.github.delayqueue.migration.MigrationSettings;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.store.TaskStore;

/**
 * Auto-configuration of moving over from other delay queues: nothing unless
 * {@code delay-queue.migration.enabled} is set. Public because auto-configurations are
 * referred to by class.
 */
@AutoConfiguration(after = DelayQueueAutoConfiguration.class)
@ConditionalOnClass({ RedisConnectionFactory.class, MigrationRunner.class })
@ConditionalOnBooleanProperty(name = "delay-queue.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "delay-queue.migration.enabled")
@ConditionalOnBean({ DelayQueueOperations.class, TaskStore.class, TaskCodec.class })
public final class DelayQueueMigrationAutoConfiguration implements AopInfrastructureBean {

	/** Not lazy: nobody asks for it. */
	@Bean
	@Lazy(false)
	@ConditionalOnMissingBean
	MigrationRunner delayQueueMigrationRunner(ObjectProvider<Migration> migrations,
			@DelayQueueConnectionFactory ObjectProvider<RedisConnectionFactory> delayQueueConnectionFactory,
			ObjectProvider<RedisConnectionFactory> applicationConnectionFactory, Destination destination,
			MigrationSettings settings) {
		RedisConnectionFactory factory = delayQueueConnectionFactory
			.getIfAvailable(applicationConnectionFactory::getIfUnique);
		if (factory == null) {
			throw new DelayQueueException(null, null,
					"Migrations (delay-queue.migration.enabled) read Redis, but there is no RedisConnectionFactory, "
							+ "or there are several: mark the one of the delay queue with @DelayQueueConnectionFactory");
		}
		return new MigrationRunner(migrations.orderedStream().toList(), factory, destination, settings);
	}

	@Bean
	@ConditionalOnMissingBean
	Destination delayQueueMigrationDestination(DelayQueueOperations operations, TaskCodec codec,
			DelayQueueSettings settings) {
		return new Destination(operations, codec, (queue) -> settings.forQueue(queue).maxPayloadBytes());
	}

	@Bean
	@ConditionalOnMissingBean
	MigrationSettings delayQueueMigrationSettings(DelayQueueSettings settings, DelayQueueProperties properties) {
		DelayQueueProperties.Migration migration = properties.migration();
		return new MigrationSettings(settings.keyPrefix(), migration.interval(), migration.batchSize(),
				migration.dryRun());
	}

}
