package io.github.delayqueue.console;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aot.hint.annotation.RegisterReflection;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

import io.github.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.github.delayqueue.config.DelayQueueSettings;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.run.ConsumersCache;
import io.github.delayqueue.store.TaskStore;

/**
 * Auto-configuration of what everything that shows and changes queues stands on, whether
 * or not the endpoint is exposed. Public because auto-configurations are referred to by
 * class.
 */
@AutoConfiguration(after = { DelayQueueAutoConfiguration.class, EndpointAutoConfiguration.class })
@ConditionalOnClass({ Endpoint.class, EndpointAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "delay-queue.enabled", matchIfMissing = true)
@ConditionalOnBean({ TaskStore.class, DelayQueueListenerContainerRegistry.class, DelayQueueOperations.class,
		TaskCodec.class })
@EnableConfigurationProperties(DelayQueueEndpointProperties.class)
@RegisterReflection(classNames = "org.springframework.security.core.Authentication")
public final class DelayQueueManagementAutoConfiguration implements AopInfrastructureBean {

	private static final EndpointId ENDPOINT = EndpointId.of("delayqueue");

	@Bean
	@ConditionalOnMissingBean
	QueueManagement delayQueueManagement(TaskStore store, DelayQueueListenerContainerRegistry registry,
			DelayQueueOperations operations, TaskCodec codec, ManagementSettings settings,
			ObjectProvider<ConsumersCache> consumers, ObjectProvider<TroubleRules> rules) {
		return new QueueManagement(store, registry, operations, codec, settings,
				consumers.getIfAvailable(() -> new ConsumersCache(store)),
				rules.getIfAvailable(() -> TroubleRules.DEFAULTS));
	}

	@Bean
	@ConditionalOnMissingBean
	ManagementSettings delayQueueManagementSettings(DelayQueueEndpointProperties properties,
			ObjectProvider<EndpointAccessResolver> accessResolver, ObjectProvider<DelayQueueSettings> settings) {
		EndpointAccessResolver resolver = accessResolver.getIfAvailable();
		Access access = (resolver != null) ? resolver.accessFor(ENDPOINT, Access.READ_ONLY) : Access.READ_ONLY;
		DelayQueueSettings queues = settings.getIfAvailable(DelayQueueSettings::defaults);
		return new ManagementSettings(access, properties.showValues(), properties.roles(), queues::journal);
	}

}
