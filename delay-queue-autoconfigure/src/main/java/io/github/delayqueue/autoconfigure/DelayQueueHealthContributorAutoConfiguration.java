package io.github.delayqueue.autoconfigure;

import java.time.Clock;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

import io.github.delayqueue.actuate.DelayQueueHealthIndicator;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.run.TroubleRules;
import io.github.delayqueue.store.ServerInspection;
import io.github.delayqueue.store.TaskStore;

/**
 * Auto-configuration of the health indicator, {@code delayQueue} among the components of
 * the health endpoint. Public because auto-configurations are referred to by class.
 */
@AutoConfiguration(after = DelayQueueAutoConfiguration.class)
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnEnabledHealthIndicator("delayqueue")
@ConditionalOnBooleanProperty(name = "delay-queue.enabled", matchIfMissing = true)
@ConditionalOnBean({ TaskStore.class, DelayQueueListenerContainerRegistry.class })
public final class DelayQueueHealthContributorAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "delayQueueHealthIndicator")
	DelayQueueHealthIndicator delayQueueHealthIndicator(TaskStore store, DelayQueueListenerContainerRegistry registry,
			ObjectProvider<ServerInspection> inspection, ObjectProvider<TroubleRules> rules) {
		return new DelayQueueHealthIndicator(store, registry, Clock.systemUTC(), inspection.getIfAvailable(),
				rules.getIfAvailable(() -> TroubleRules.DEFAULTS));
	}

}
