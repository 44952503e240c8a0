package io.github.delayqueue.console;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

import io.github.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.github.delayqueue.autoconfigure.DelayQueueProperties;
import io.github.delayqueue.fleet.ConsumersCache;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.store.TaskStore;

/**
 * Auto-configuration of the rules that say what is wrong with a queue, and of what health
 * and meters have of them. Public because auto-configurations are referred to by class.
 */
@AutoConfiguration(after = DelayQueueAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "delay-queue.enabled", matchIfMissing = true)
@ConditionalOnBean({ TaskStore.class, DelayQueueListenerContainerRegistry.class, ConsumersCache.class })
public final class DelayQueueTroubleAutoConfiguration implements AopInfrastructureBean {

	@Bean
	@ConditionalOnMissingBean
	TroubleRules delayQueueTroubleRules(ObjectProvider<DelayQueueProperties> properties) {
		DelayQueueProperties given = properties.getIfAvailable();
		return (given != null) ? new TroubleRules(given.health().maxLag(), given.listener().pollInterval())
				: TroubleRules.DEFAULTS;
	}

	@Bean
	@ConditionalOnMissingBean
	TroubleGauges delayQueueTroubleGauges(TaskStore store, ConsumersCache consumers, TroubleRules rules) {
		return new TroubleGauges(store, consumers, rules);
	}

	@Bean
	@ConditionalOnMissingBean
	GroupGauges delayQueueGroupGauges(TaskStore store) {
		return new GroupGauges(store);
	}

	@Bean
	@ConditionalOnMissingBean
	HealthRemarks delayQueueHealthRemarks(TaskStore store, DelayQueueListenerContainerRegistry registry,
			ConsumersCache consumers, TroubleRules rules) {
		return new HealthRemarks(store, new ListenerSwitch(registry, consumers), rules);
	}

}
