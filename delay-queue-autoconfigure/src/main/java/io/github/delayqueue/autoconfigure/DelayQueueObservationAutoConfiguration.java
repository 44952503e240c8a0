package io.github.delayqueue.autoconfigure;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

import io.github.delayqueue.event.TaskObserver;
import io.github.delayqueue.observation.DelayQueueObservations;
import io.github.delayqueue.observation.LinkingTracingObservationHandler;
import io.github.delayqueue.store.TaskStore;

/**
 * Auto-configuration of the observations {@code delay.queue.schedule} and
 * {@code delay.queue.process}: where there is a tracer, or
 * {@code delay-queue.observation.enabled} says so. Without a tracer they would only
 * repeat the meters. Public because auto-configurations are referred to by class.
 */
@AutoConfiguration(after = DelayQueueAutoConfiguration.class,
		afterName = { "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
				"org.springframework.boot.micrometer.tracing.autoconfigure.NoopTracerAutoConfiguration",
				"org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration",
				"org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
				"org.springframework.boot.actuate.autoconfigure.tracing.NoopTracerAutoConfiguration",
				"org.springframework.boot.actuate.autoconfigure.tracing.MicrometerTracingAutoConfiguration" })
@ConditionalOnClass(name = DelayQueueObservationAutoConfiguration.REGISTRY)
@ConditionalOnBooleanProperty(name = "delay-queue.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "delay-queue.observation.enabled", matchIfMissing = true)
@ConditionalOnBean(value = TaskStore.class, type = DelayQueueObservationAutoConfiguration.REGISTRY)
@Conditional(DelayQueueObservationAutoConfiguration.OnTracerOrAskedFor.class)
public final class DelayQueueObservationAutoConfiguration implements AopInfrastructureBean {

	// By name: nothing but the package of the observations depends on Micrometer's API
	static final String REGISTRY = "io.micrometer.observation.ObservationRegistry";

	private static final String TRACER = "io.micrometer.tracing.Tracer";

	private static final String PROPAGATOR = "io.micrometer.tracing.propagation.Propagator";

	@Bean
	@ConditionalOnMissingBean(TaskObserver.class)
	DelayQueueObservations delayQueueObservations(BeanFactory beanFactory, DelayQueueProperties properties) {
		return new DelayQueueObservations(beanFactory, properties.observation().linkAfter());
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = TRACER)
	@ConditionalOnBean(type = { TRACER, PROPAGATOR })
	static class LinkConfiguration {

		@Bean
		@ConditionalOnMissingBean
		LinkingTracingObservationHandler delayQueueLinkingTracingObservationHandler(BeanFactory beanFactory) {
			return new LinkingTracingObservationHandler(beanFactory);
		}

	}

	static class OnTracerOrAskedFor extends AnyNestedCondition {

		OnTracerOrAskedFor() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnBean(type = TRACER)
		static class OnTracer {

		}

		@ConditionalOnBooleanProperty(name = "delay-queue.observation.enabled")
		static class AskedFor {

		}

	}

}
