package io.github.delayqueue.sample.redis;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link EmbeddedRedisPostProcessor}.
 */
class EmbeddedRedisPostProcessorTests {

	private static final ObjectProvider<EmbeddedRedis> NOT_TO_BE_STARTED = new StaticListableBeanFactory()
		.getBeanProvider(EmbeddedRedis.class);

	private final StandardEnvironment environment = new StandardEnvironment();

	private final EmbeddedRedisPostProcessor processor = new EmbeddedRedisPostProcessor(this.environment,
			NOT_TO_BE_STARTED);

	@ParameterizedTest
	@ValueSource(strings = { "spring.data.redis.url=redis://elsewhere", "spring.data.redis.host=elsewhere",
			"spring.data.redis.port=6379", "spring.data.redis.sentinel.master=mymaster",
			"spring.data.redis.cluster.nodes=one:1,two:2", "spring.data.redis.cluster.nodes[0]=one:1",
			"SPRING_DATA_REDIS_HOST=elsewhere", "SPRING_DATA_REDIS_CLUSTER_NODES=one:1,two:2" })
	void leavesConnectionAloneIfRedisIsConfigured(String property) {
		TestPropertyValues.Type type = property.startsWith("SPRING") ? TestPropertyValues.Type.SYSTEM_ENVIRONMENT
				: TestPropertyValues.Type.MAP;
		TestPropertyValues.of(property).applyTo(this.environment, type);
		DataRedisProperties properties = new DataRedisProperties();
		this.processor.postProcessAfterInitialization(properties, "properties");
		assertThat(properties).usingRecursiveComparison().isEqualTo(new DataRedisProperties());
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring.data.redis.timeout=1s", "spring.data.redis.database=2",
			"spring.data.redis.lettuce.pool.max-active=3" })
	void asksForEmbeddedRedisIfNoPropertySaysWhereOneIs(String property) {
		TestPropertyValues.of(property).applyTo(this.environment);
		assertThatExceptionOfType(org.springframework.beans.factory.NoSuchBeanDefinitionException.class)
			.isThrownBy(() -> this.processor.postProcessAfterInitialization(new DataRedisProperties(), "properties"))
			.withMessageContaining(EmbeddedRedis.class.getName());
	}

}
