package io.github.delayqueue.autoconfigure;

import java.time.Clock;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.metrics.DelayQueueMetrics;
import io.github.delayqueue.metrics.ObservedTimersFilter;
import io.github.delayqueue.metrics.QueueGauges;
import io.github.delayqueue.store.TaskStore;

/**
 * Auto-configuration of the meters {@code delay.queue.*}. Public because
 * auto-configurations are referred to by class.
 */
@AutoConfiguration(after = DelayQueueAutoConfiguration.class,
		afterName = { "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
				"org.springframework.boot.actuate.autoconfigure.metrics.MetricsAutoConfiguration",
				"org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnClass(name = DelayQueueMetricsAutoConfiguration.METER_REGISTRY)
@ConditionalOnBooleanProperty(name = "delay-queue.enabled", matchIfMissing = true)
@ConditionalOnBean(value = { TaskStore.class, DelayQueueListenerContainerRegistry.class },
		type = DelayQueueMetricsAutoConfiguration.METER_REGISTRY)
public final class DelayQueueMetricsAutoConfiguration implements AopInfrastructureBean {

	// By name: nothing but the package of the meters depends on Micrometer's API
	static final String METER_REGISTRY = "io.micrometer.core.instrument.MeterRegistry";

	@Bean
	@ConditionalOnMissingBean
	static ObservedTimersFilter delayQueueObservedTimersFilter() {
		return new ObservedTimersFilter();
	}

	@Bean
	@ConditionalOnMissingBean
	DelayQueueMetrics delayQueueMetrics(BeanFactory beanFactory, TaskStore store, ObjectProvider<QueueGauges> gauges,
			ObjectProvider<DelayQueueProperties> properties) {
		DelayQueueMetrics metrics = new DelayQueueMetrics(beanFactory, store, Clock.systemUTC());
		metrics.setGauges(() -> gauges.orderedStream().toList());
		properties.ifAvailable((given) -> metrics.setPerQueue(given.metrics().perQueue()));
		return metrics;
	}

}
