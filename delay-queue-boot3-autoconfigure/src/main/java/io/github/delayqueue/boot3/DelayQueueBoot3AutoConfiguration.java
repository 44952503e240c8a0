package io.github.delayqueue.boot3;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

import io.github.delayqueue.actuate.DelayQueueHealth;
import io.github.delayqueue.autoconfigure.DelayQueueAutoConfiguration;

/**
 * Auto-configuration of the health indicator on Spring Boot 3, {@code delayQueue} among
 * the components of the health endpoint. Public because auto-configurations are referred
 * to by class.
 */
@AutoConfiguration(after = DelayQueueAutoConfiguration.class)
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnEnabledHealthIndicator("delayqueue")
@ConditionalOnBooleanProperty(name = "delay-queue.enabled", matchIfMissing = true)
@ConditionalOnBean(DelayQueueHealth.class)
public final class DelayQueueBoot3AutoConfiguration implements AopInfrastructureBean {

	@Bean
	@ConditionalOnMissingBean(name = "delayQueueHealthIndicator")
	DelayQueueBoot3HealthIndicator delayQueueHealthIndicator(DelayQueueHealth health) {
		return new DelayQueueBoot3HealthIndicator(health);
	}

}
