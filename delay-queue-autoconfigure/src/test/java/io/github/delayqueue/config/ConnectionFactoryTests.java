package io.github.delayqueue.config;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConnection;

import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.TaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for which connection factory {@link DelayQueueConfiguration} takes.
 */
class ConnectionFactoryTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withUserConfiguration(DelayQueueConfiguration.class);

	@Test
	void theOnlyOneIsUsed() {
		this.contextRunner.withUserConfiguration(First.class).run((context) -> assertUses(context, "first"));
	}

	@Test
	void thePrimaryOneIsUsed() {
		this.contextRunner.withUserConfiguration(First.class, PrimaryOne.class)
			.run((context) -> assertUses(context, "primary"));
	}

	@Test
	void theQualifiedOneIsUsedBeforeThePrimaryOne() {
		this.contextRunner.withUserConfiguration(First.class, PrimaryOne.class, Qualified.class)
			.run((context) -> assertUses(context, "qualified"));
	}

	@Test
	void theQualifiedOneNeedNotBeACandidateElsewhere() {
		this.contextRunner.withUserConfiguration(First.class, NoCandidate.class).run((context) -> {
			assertUses(context, "noCandidate");
			assertThat(context.getBean(RedisConnectionFactory.class)).isSameAs(context.getBean("first"));
		});
	}

	@Test
	void severalQualifiedOnesAreAnError() {
		this.contextRunner.withUserConfiguration(Qualified.class, QualifiedToo.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(NoUniqueBeanDefinitionException.class)
				.hasMessageContaining("qualified,qualifiedToo"));
	}

	private static void assertUses(AssertableApplicationContext context, String factory) {
		assertThatException().isThrownBy(() -> QueueView.of(context.getBean(TaskStore.class)).queues())
			.havingRootCause()
			.withMessage("Asked " + factory + " for a connection");
	}

	@Configuration(proxyBeanMethods = false)
	static class First {

		@Bean
		NamedFactory first() {
			return new NamedFactory("first");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PrimaryOne {

		@Bean
		@Primary
		NamedFactory primary() {
			return new NamedFactory("primary");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Qualified {

		@Bean
		@DelayQueueConnectionFactory
		NamedFactory qualified() {
			return new NamedFactory("qualified");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class QualifiedToo {

		@Bean
		@DelayQueueConnectionFactory
		NamedFactory qualifiedToo() {
			return new NamedFactory("qualifiedToo");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NoCandidate {

		@Bean(defaultCandidate = false)
		@DelayQueueConnectionFactory
		NamedFactory noCandidate() {
			return new NamedFactory("noCandidate");
		}

	}

	/**
	 * Says its name instead of connecting.
	 *
	 * @param name the name
	 */
	private record NamedFactory(String name) implements RedisConnectionFactory {

		@Override
		public RedisConnection getConnection() {
			throw asked();
		}

		@Override
		public RedisClusterConnection getClusterConnection() {
			throw asked();
		}

		@Override
		public RedisSentinelConnection getSentinelConnection() {
			throw asked();
		}

		@Override
		public boolean getConvertPipelineAndTxResults() {
			return true;
		}

		@Override
		public @Nullable DataAccessException translateExceptionIfPossible(RuntimeException ex) {
			return null;
		}

		private RuntimeException asked() {
			return new InvalidDataAccessApiUsageException("Asked " + this.name + " for a connection");
		}

	}

}
