package io.github.delayqueue.testsupport;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Connects a test's application to {@link TestRedis}, whichever kind of server that is.
 * Tests import it, those too that name their auto-configurations.
 */
@TestConfiguration(proxyBeanMethods = false)
@ImportAutoConfiguration(ServiceConnectionAutoConfiguration.class)
public class TestRedisConfiguration {

	@Bean
	@ServiceConnection(name = "redis")
	@Conditional(InContainer.class)
	SharedRedisContainer testRedisContainer() {
		SharedRedisContainer container = TestRedis.container();
		if (container == null) {
			throw new IllegalStateException("Redis does not run in a container");
		}
		return container;
	}

	@Bean
	@Conditional(InProcess.class)
	DataRedisConnectionDetails testRedisConnectionDetails() {
		return new DataRedisConnectionDetails() {

			@Override
			public Standalone getStandalone() {
				return Standalone.of(TestRedis.host(), TestRedis.port());
			}

		};
	}

	static class InContainer implements Condition {

		@Override
		public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
			return TestRedis.container() != null;
		}

	}

	static class InProcess implements Condition {

		@Override
		public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
			return TestRedis.container() == null;
		}

	}

}
