package io.github.delayqueue.autoconfigure;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

import io.github.delayqueue.actuate.ActionDescriptor;
import io.github.delayqueue.actuate.CheckDescriptor;
import io.github.delayqueue.actuate.DelayQueueEndpoint;
import io.github.delayqueue.actuate.DelayQueueEndpointWebExtension;
import io.github.delayqueue.actuate.DeadDescriptor;
import io.github.delayqueue.actuate.ForecastDescriptor;
import io.github.delayqueue.actuate.HistoryDescriptor;
import io.github.delayqueue.actuate.FoundTasksDescriptor;
import io.github.delayqueue.actuate.InstancesDescriptor;
import io.github.delayqueue.actuate.QueueDescriptor;
import io.github.delayqueue.actuate.QueueManagement;
import io.github.delayqueue.actuate.QueuesDescriptor;
import io.github.delayqueue.actuate.TaskDescriptor;
import io.github.delayqueue.actuate.TasksDescriptor;
import io.github.delayqueue.actuate.UnreadableQueueDescriptor;

/**
 * Auto-configuration of the endpoint {@code delayqueue}. Public because
 * auto-configurations are referred to by class.
 */
@AutoConfiguration(after = DelayQueueManagementAutoConfiguration.class)
@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnAvailableEndpoint(DelayQueueEndpoint.class)
@ConditionalOnBean(QueueManagement.class)
@RegisterReflectionForBinding({ InstancesDescriptor.class, QueuesDescriptor.class, QueueDescriptor.class,
		UnreadableQueueDescriptor.class, TasksDescriptor.class, TaskDescriptor.class, ActionDescriptor.class,
		CheckDescriptor.class, ForecastDescriptor.class, HistoryDescriptor.class, FoundTasksDescriptor.class,
		DeadDescriptor.class })
public final class DelayQueueEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	DelayQueueEndpoint delayQueueEndpoint(QueueManagement management) {
		return new DelayQueueEndpoint(management);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(DelayQueueEndpoint.class)
	@ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
	DelayQueueEndpointWebExtension delayQueueEndpointWebExtension(DelayQueueEndpoint endpoint) {
		return new DelayQueueEndpointWebExtension(endpoint);
	}

}
