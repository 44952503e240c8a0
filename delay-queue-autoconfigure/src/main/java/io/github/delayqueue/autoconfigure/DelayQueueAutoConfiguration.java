package io.github.delayqueue.autoconfigure;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.context.LifecycleProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.delayqueue.config.DelayQueueConfiguration;
import io.github.delayqueue.config.DelayQueueSettings;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.run.TroubleRules;

/**
 * Auto-configuration of the delay queue: what
 * {@link io.github.delayqueue.config.EnableDelayQueue} declares, set to the properties
 * {@code delay-queue.*}. Public because auto-configurations are referred to by class.
 */
@AutoConfiguration(after = DataRedisAutoConfiguration.class)
@ConditionalOnClass(RedisConnectionFactory.class)
@ConditionalOnBooleanProperty(name = "delay-queue.enabled", matchIfMissing = true)
@EnableConfigurationProperties(DelayQueueProperties.class)
@Import(DelayQueueConfiguration.class)
public final class DelayQueueAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	DelayQueueSettings delayQueueSettings(DelayQueueProperties properties, Environment environment) {
		return PropertiesMapper.map(properties, Threading.VIRTUAL.isActive(environment));
	}

	@Bean
	@ConditionalOnMissingBean
	TroubleRules delayQueueTroubleRules(DelayQueueProperties properties) {
		return new TroubleRules(properties.health().maxLag(), properties.listener().pollInterval());
	}

	@Bean
	@ConditionalOnMissingBean
	ShutdownTimeoutCheck delayQueueShutdownTimeoutCheck(DelayQueueSettings settings,
			DelayQueueListenerContainerRegistry registry, ObjectProvider<LifecycleProperties> lifecycleProperties) {
		return new ShutdownTimeoutCheck(settings, registry,
				lifecycleProperties.getIfAvailable(LifecycleProperties::new).getTimeoutPerShutdownPhase());
	}

}
