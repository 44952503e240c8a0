package io.github.delayqueue.autoconfigure;

import java.time.Clock;

import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.util.function.SingletonSupplier;

import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.metrics.DelayQueueMetrics;
import io.github.delayqueue.store.TaskStore;

/**
 * Auto-configuration of the meters {@code delay.queue.*}. Public because
 * auto-configurations are referred to by class.
 */
@AutoConfiguration(after = DelayQueueAutoConfiguration.class,
		afterName = { "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBooleanProperty(name = "delay-queue.enabled", matchIfMissing = true)
@ConditionalOnBean({ MeterRegistry.class, TaskStore.class, DelayQueueListenerContainerRegistry.class })
public final class DelayQueueMetricsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	DelayQueueMetrics delayQueueMetrics(ObjectProvider<MeterRegistry> meterRegistry,
			ObjectProvider<DelayQueueListenerContainerRegistry> containerRegistry, TaskStore store) {
		return new DelayQueueMetrics(SingletonSupplier.of(meterRegistry::getObject), containerRegistry::getObject,
				store, Clock.systemUTC());
	}

}
