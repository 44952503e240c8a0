package io.github.delayqueue.autoconfigure;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

import io.github.delayqueue.actuate.DelayQueueHealth;
import io.github.delayqueue.actuate.DelayQueueHealthIndicator;

/**
 * Auto-configuration of the health indicator on Spring Boot 4, {@code delayQueue} among
 * the components of the health endpoint. Public because auto-configurations are referred
 * to by class.
 */
@AutoConfiguration(after = DelayQueueAutoConfiguration.class)
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnEnabledHealthIndicator("delayqueue")
@ConditionalOnBooleanProperty(name = "delay-queue.enabled", matchIfMissing = true)
@ConditionalOnBean(DelayQueueHealth.class)
public final class DelayQueueHealthContributorAutoConfiguration implements AopInfrastructureBean {

	@Bean
	@ConditionalOnMissingBean(name = "delayQueueHealthIndicator")
	DelayQueueHealthIndicator delayQueueHealthIndicator(DelayQueueHealth health) {
		return new DelayQueueHealthIndicator(health);
	}

}
