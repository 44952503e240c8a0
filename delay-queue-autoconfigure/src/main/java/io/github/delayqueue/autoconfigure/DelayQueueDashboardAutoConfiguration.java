package io.github.delayqueue.autoconfigure;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.actuate.autoconfigure.endpoint.PropertiesEndpointAccessResolver;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
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
import org.springframework.core.env.Environment;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.servlet.DispatcherServlet;

import io.github.delayqueue.actuate.QueueManagement;
import io.github.delayqueue.dashboard.Dashboard;
import io.github.delayqueue.dashboard.DashboardRuntimeHints;
import io.github.delayqueue.dashboard.EndpointRules;
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
public final class DelayQueueDashboardAutoConfiguration implements AopInfrastructureBean {

	@Bean
	@ConditionalOnMissingBean
	Dashboard delayQueueDashboard(QueueManagement management, DelayQueueProperties properties) {
		return new Dashboard(management, properties.dashboard().allowedHosts());
	}

	@Bean
	EndpointRules delayQueueEndpointRules(DelayQueueProperties properties, Environment environment,
			BeanFactory beanFactory) {
		String endpoint = environment.getProperty("management.endpoints.web.base-path", "/actuator") + "/"
				+ environment.getProperty("management.endpoints.web.path-mapping.delayqueue", "delayqueue");
		boolean samePort = ManagementPortType.get(environment) == ManagementPortType.SAME;
		return new EndpointRules(beanFactory, properties.dashboard().path(), samePort ? endpoint : null);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.SERVLET)
	@ConditionalOnClass(DispatcherServlet.class)
	static class ServletRoutes {

		@Bean
		org.springframework.web.servlet.function.RouterFunction<?> delayQueueDashboardRoutes(Dashboard dashboard,
				EndpointRules rules) {
			return ServletDashboard.routes(dashboard, rules);
		}

		@Bean
		DashboardAccessCheck delayQueueDashboardAccessCheck(QueueManagement management, EndpointRules rules,
				@Value("${server.servlet.context-path:}") String contextPath) {
			return new DashboardAccessCheck(management, rules, () -> ServletDashboard.isOpen(rules, contextPath));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.REACTIVE)
	@ConditionalOnClass(DispatcherHandler.class)
	static class ReactiveRoutes {

		@Bean
		org.springframework.web.reactive.function.server.RouterFunction<?> delayQueueDashboardRoutes(
				Dashboard dashboard, EndpointRules rules) {
			return ReactiveDashboard.routes(dashboard, rules);
		}

		@Bean
		DashboardAccessCheck delayQueueDashboardAccessCheck(QueueManagement management, EndpointRules rules) {
			return new DashboardAccessCheck(management, rules, () -> ReactiveDashboard.isOpen(rules));
		}

	}

}
