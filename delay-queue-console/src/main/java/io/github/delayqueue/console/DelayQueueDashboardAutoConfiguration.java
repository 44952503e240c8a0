package io.github.delayqueue.console;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;

import io.github.delayqueue.console.page.DelayQueueUiEndpoint;
import io.github.delayqueue.console.page.PageRuntimeHints;

/**
 * Auto-configuration of the page, the endpoint {@code delayqueueui}. Public because
 * auto-configurations are referred to by class.
 */
@AutoConfiguration(after = DelayQueueManagementAutoConfiguration.class)
@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnWebApplication
@ConditionalOnAvailableEndpoint(value = DelayQueueUiEndpoint.class, exposure = EndpointExposure.WEB)
@ConditionalOnBean(QueueManagement.class)
@ImportRuntimeHints(PageRuntimeHints.class)
public final class DelayQueueDashboardAutoConfiguration implements AopInfrastructureBean {

	@Bean
	@ConditionalOnMissingBean
	DelayQueueUiEndpoint delayQueueUiEndpoint(ObjectProvider<PathMappedEndpoints> endpoints) {
		return new DelayQueueUiEndpoint(endpoints::getIfAvailable);
	}

}
