package io.github.delayqueue.autoconfigure;

import org.springframework.boot.actuate.autoconfigure.endpoint.PropertiesEndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.servlet.DispatcherServlet;

import io.github.delayqueue.actuate.QueueManagement;
import io.github.delayqueue.dashboard.Dashboard;
import io.github.delayqueue.dashboard.DashboardRuntimeHints;
import io.github.delayqueue.dashboard.ReactiveDashboard;
import io.github.delayqueue.dashboard.ServletDashboard;

/**
 * Auto-configuration of the web page. Needs the actuator on the class path, as the
 * starter brings it, because the page shows and does what the endpoint does; the endpoint
 * need not be exposed. Public because auto-configurations are referred to by class.
 */
@AutoConfiguration(after = DelayQueueManagementAutoConfiguration.class)
@ConditionalOnClass({ Endpoint.class, PropertiesEndpointAccessResolver.class })
@ConditionalOnBooleanProperty(name = "delay-queue.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "delay-queue.dashboard.enabled")
@ConditionalOnWebApplication
@ConditionalOnBean(QueueManagement.class)
@Conditional(OnEndpointAccessCondition.class)
@ImportRuntimeHints(DashboardRuntimeHints.class)
public final class DelayQueueDashboardAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	Dashboard delayQueueDashboard(QueueManagement management) {
		return new Dashboard(management);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.SERVLET)
	@ConditionalOnClass(DispatcherServlet.class)
	static class ServletRoutes {

		@Bean
		org.springframework.web.servlet.function.RouterFunction<?> delayQueueDashboardRoutes(Dashboard dashboard,
				DelayQueueProperties properties) {
			return ServletDashboard.routes(dashboard, properties.dashboard().path());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.REACTIVE)
	@ConditionalOnClass(DispatcherHandler.class)
	static class ReactiveRoutes {

		@Bean
		org.springframework.web.reactive.function.server.RouterFunction<?> delayQueueDashboardRoutes(
				Dashboard dashboard, DelayQueueProperties properties) {
			return ReactiveDashboard.routes(dashboard, properties.dashboard().path());
		}

	}

}
