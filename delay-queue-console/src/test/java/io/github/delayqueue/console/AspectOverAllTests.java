package io.github.delayqueue.console;

import java.lang.reflect.Method;
import java.util.UUID;

import javax.sql.DataSource;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.support.JdbcTransactionManager;

import io.github.delayqueue.autoconfigure.DelayQueueMigrationAutoConfiguration;
import io.github.delayqueue.autoconfigure.DelayQueueObservationAutoConfiguration;
import io.github.delayqueue.autoconfigure.DelayQueueMetricsAutoConfiguration;
import io.github.delayqueue.autoconfigure.DelayQueueJournalAutoConfiguration;
import io.github.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.github.delayqueue.autoconfigure.DelayQueueHealthContributorAutoConfiguration;
import io.github.delayqueue.actuate.DelayQueueHealth;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.console.page.DelayQueueUiEndpoint;
import io.github.delayqueue.journal.JournaledTaskStore;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.metrics.DelayQueueMetrics;
import io.github.delayqueue.migration.MigrationRunner;
import io.github.delayqueue.producer.TaskQueue;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.testsupport.Connections;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An aspect over all packages, as {@code within(io.github.delayqueue..*)} is one, meets
 * the beans that applications call, and none that cannot have a proxy.
 */
class AspectOverAllTests {

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(EndpointAutoConfiguration.class, DelayQueueAutoConfiguration.class,
				DelayQueueJournalAutoConfiguration.class, DelayQueueTroubleAutoConfiguration.class,
				DelayQueueEndpointAutoConfiguration.class, DelayQueueHealthContributorAutoConfiguration.class,
				DelayQueueMetricsAutoConfiguration.class, DelayQueueMigrationAutoConfiguration.class,
				DelayQueueObservationAutoConfiguration.class))
		.withUserConfiguration(Aspect.class, Application.class)
		.withPropertyValues("delay-queue.queues.kept.journal.enabled=true", "delay-queue.migration.enabled=true",
				"delay-queue.observation.enabled=true", "delay-queue.listener.auto-startup=false",
				"management.endpoints.web.exposure.include=*");

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void applicationStartsAndWhatItCallsHasTheAspect(boolean proxyTargetClass) {
		this.contextRunner.withPropertyValues("test.proxy-target-class=" + proxyTargetClass).run((context) -> {
			assertThat(context).hasNotFailed()
				.hasSingleBean(JournaledTaskStore.class)
				.hasSingleBean(DelayQueueHealth.class)
				.hasSingleBean(DelayQueueEndpoint.class)
				.hasSingleBean(DelayQueueUiEndpoint.class)
				.hasSingleBean(MigrationRunner.class);
			assertThat(context.getBeanNamesForType(DelayQueueMetrics.class).length > 0 || !proxyTargetClass).isTrue();
			assertThat(context.getBean(DelayQueueOperations.class)).matches(AopUtils::isAopProxy);
			assertThat(context.getBean(DelayQueueListenerContainerRegistry.class)).matches(AopUtils::isAopProxy)
				.satisfies((registry) -> assertThat(registry.getContainers()).hasSize(1));
			assertThat(context.getBean(Application.Producer.class).queue().name()).isEqualTo("orders");
		});
	}

	@Configuration(proxyBeanMethods = false)
	static class Aspect {

		@Bean
		static DefaultAdvisorAutoProxyCreator proxyCreator(Environment environment) {
			DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
			creator.setProxyTargetClass(environment.getRequiredProperty("test.proxy-target-class", Boolean.class));
			return creator;
		}

		@Bean
		static Advisor everything() {
			StaticMethodMatcherPointcutAdvisor advisor = new StaticMethodMatcherPointcutAdvisor() {

				private static final long serialVersionUID = 1L;

				@Override
				public boolean matches(Method method, Class<?> targetClass) {
					return targetClass.getName().startsWith("io.github.delayqueue.")
							&& !targetClass.getName().startsWith(AspectOverAllTests.class.getName());
				}

			};
			advisor.setAdvice((MethodInterceptor) MethodInvocation::proceed);
			return advisor;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

		@Bean
		RedisConnectionFactory redisConnectionFactory() {
			return Connections.toNobody();
		}

		@Bean
		MeterRegistry meterRegistry() {
			return new SimpleMeterRegistry();
		}

		@Bean
		ObservationRegistry observationRegistry() {
			return ObservationRegistry.create();
		}

		@Bean
		DataSource dataSource() {
			JdbcDataSource dataSource = new JdbcDataSource();
			dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
			return dataSource;
		}

		@Bean
		JdbcTransactionManager transactionManager(DataSource dataSource) {
			return new JdbcTransactionManager(dataSource);
		}

		@Bean
		Producer producer(DelayQueueOperations operations) {
			return new Producer(operations.queue("orders", String.class));
		}

		@DelayQueueListener(queue = "orders")
		void handle(String payload) {
		}

		record Producer(TaskQueue<String> queue) {

		}

	}

}
