package io.github.delayqueue.autoconfigure;

import java.time.Clock;
import java.util.Map;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.system.JavaVersion;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.delayqueue.actuate.DelayQueueHealth;
import io.github.delayqueue.config.DelayQueueConfiguration;
import io.github.delayqueue.config.DelayQueueSettings;
import io.github.delayqueue.config.JournalConfiguration;
import io.github.delayqueue.fleet.ConsumersCache;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.failover.ServerInspection;
import io.github.delayqueue.store.TaskStore;

/**
 * Auto-configuration of the delay queue: what
 * {@link io.github.delayqueue.config.EnableDelayQueue} declares, set to the properties
 * {@code delay-queue.*}. Public because auto-configurations are referred to by class.
 */
@AutoConfiguration(afterName = { "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
		"org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration" })
@ConditionalOnClass(RedisConnectionFactory.class)
@ConditionalOnBooleanProperty(name = "delay-queue.enabled", matchIfMissing = true)
@EnableConfigurationProperties(DelayQueueProperties.class)
@RegisterReflectionForBinding(DelayQueueProperties.class)
@Import({ DelayQueueConfiguration.class, JournalConfiguration.class })
public final class DelayQueueAutoConfiguration implements AopInfrastructureBean {

	@Bean
	static RenamedProperties delayQueueRenamedProperties(Environment environment) {
		return new RenamedProperties(environment);
	}

	@Bean
	@ConditionalOnMissingBean
	DelayQueueSettings delayQueueSettings(DelayQueueProperties properties, Environment environment) {
		return PropertiesMapper.map(properties, hasVirtualThreads(environment));
	}

	/**
	 * As Spring Boot's {@code Threading} says it, which is not in the same package in 3
	 * and 4.
	 */
	private static boolean hasVirtualThreads(Environment environment) {
		return environment.getProperty("spring.threads.virtual.enabled", boolean.class, false)
				&& JavaVersion.getJavaVersion().isEqualOrNewerThan(JavaVersion.TWENTY_ONE);
	}

	@Bean
	@ConditionalOnMissingBean
	DelayQueueHealth delayQueueHealth(TaskStore store, DelayQueueListenerContainerRegistry registry,
			ConsumersCache consumers, ObjectProvider<ServerInspection> inspection, DelayQueueProperties properties,
			ObjectProvider<DelayQueueHealth.Remarks> remarks) {
		return new DelayQueueHealth(store, registry, consumers, Clock.systemUTC(), inspection.getIfAvailable(),
				properties.health().maxLag(), remarks.getIfAvailable(() -> (figures) -> Map.of()));
	}

}
