package io.github.delayqueue.console;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aot.hint.annotation.RegisterReflection;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;

import io.github.delayqueue.config.DelayQueueSettings;
import io.github.delayqueue.console.page.DelayQueueUiEndpoint;
import io.github.delayqueue.console.page.PageRuntimeHints;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.fleet.ConsumersCache;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.store.TaskStore;

/**
 * Auto-configuration of the endpoints {@code delayqueue} and {@code delayqueueui}, and of
 * what both stand on, whether or not they are exposed. Public because auto-configurations
 * are referred to by class.
 */
@AutoConfiguration(after = { DelayQueueTroubleAutoConfiguration.class, EndpointAutoConfiguration.class })
@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBean({ TroubleRules.class, DelayQueueOperations.class, TaskCodec.class })
@EnableConfigurationProperties(DelayQueueEndpointProperties.class)
@RegisterReflection(classNames = "org.springframework.security.core.Authentication")
@ImportRuntimeHints(PageRuntimeHints.class)
public final class DelayQueueEndpointAutoConfiguration implements AopInfrastructureBean {

	@Bean
	@ConditionalOnMissingBean
	QueueManagement delayQueueManagement(TaskStore store, DelayQueueListenerContainerRegistry registry,
			DelayQueueOperations operations, TaskCodec codec, ManagementSettings settings, ConsumersCache consumers,
			TroubleRules rules) {
		return new QueueManagement(store, registry, operations, codec, settings, consumers, rules);
	}

	@Bean
	@ConditionalOnMissingBean
	ManagementSettings delayQueueManagementSettings(DelayQueueEndpointProperties properties,
			ObjectProvider<EndpointAccessResolver> accessResolver, ObjectProvider<DelayQueueSettings> settings) {
		EndpointAccessResolver resolver = accessResolver.getIfAvailable();
		Access access = (resolver != null) ? resolver.accessFor(SentArguments.ENDPOINT, Access.READ_ONLY)
				: Access.READ_ONLY;
		DelayQueueSettings queues = settings.getIfAvailable(DelayQueueSettings::defaults);
		return new ManagementSettings(access, properties.showValues(), properties.roles(), queues::journal);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnAvailableEndpoint
	DelayQueueEndpoint delayQueueEndpoint(QueueManagement management) {
		return new DelayQueueEndpoint(management);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(DelayQueueEndpoint.class)
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

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnWebApplication
	@ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
	DelayQueueUiEndpoint delayQueueUiEndpoint(ObjectProvider<PathMappedEndpoints> endpoints) {
		return new DelayQueueUiEndpoint(endpoints::getIfAvailable);
	}

}
