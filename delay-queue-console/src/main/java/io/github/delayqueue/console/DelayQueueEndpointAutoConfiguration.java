package io.github.delayqueue.console;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the endpoint {@code delayqueue}. Public because
 * auto-configurations are referred to by class.
 */
@AutoConfiguration(after = DelayQueueManagementAutoConfiguration.class)
@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnAvailableEndpoint(DelayQueueEndpoint.class)
@ConditionalOnBean(QueueManagement.class)
public final class DelayQueueEndpointAutoConfiguration implements AopInfrastructureBean {

	@Bean
	@ConditionalOnMissingBean
	DelayQueueEndpoint delayQueueEndpoint(QueueManagement management) {
		return new DelayQueueEndpoint(management);
	}

	@Bean
	@ConditionalOnMissingBean
	SentArguments delayQueueSentArguments() {
		return new SentArguments();
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnWebApplication(type = Type.REACTIVE)
	@ConditionalOnBean(DelayQueueEndpoint.class)
	@ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
	ReactiveDelayQueueEndpointWebExtension reactiveDelayQueueEndpointWebExtension(DelayQueueEndpoint endpoint) {
		return new ReactiveDelayQueueEndpointWebExtension(endpoint);
	}

	@Bean
	@ConditionalOnMissingBean({ DelayQueueEndpointWebExtension.class, ReactiveDelayQueueEndpointWebExtension.class })
	@ConditionalOnBean(DelayQueueEndpoint.class)
	@ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
	DelayQueueEndpointWebExtension delayQueueEndpointWebExtension(DelayQueueEndpoint endpoint) {
		return new DelayQueueEndpointWebExtension(endpoint);
	}

}
