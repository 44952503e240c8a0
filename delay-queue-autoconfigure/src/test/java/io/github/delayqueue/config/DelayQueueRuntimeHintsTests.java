package io.github.delayqueue.config;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.List;

import io.lettuce.core.RedisClient;
import io.lettuce.core.resource.ClientResources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.javapoet.ClassName;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.github.delayqueue.journal.Journal;
import io.github.delayqueue.journal.JournaledTaskStore;
import io.github.delayqueue.migration.MigrationRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DelayQueueRuntimeHints} and those of the store, through what
 * ahead-of-time processing makes of an application.
 */
class DelayQueueRuntimeHintsTests {

	@ParameterizedTest
	@ValueSource(
			strings = { "store/redis/*.lua", "fleet/*.lua", "management/*.lua", "migration/*.lua", "journal/*.sql" })
	void everyFileIsKept(String pattern) throws IOException {
		RuntimeHints hints = process(Application.class);
		Resource[] files = new PathMatchingResourcePatternResolver()
			.getResources("classpath*:io/github/delayqueue/" + pattern);
		assertThat(files).isNotEmpty().allSatisfy((file) -> {
			String path = "io/github/delayqueue/" + pattern.replaceFirst("\\*.*", "") + file.getFilename();
			assertThat(RuntimeHintsPredicates.resource().forResource(path)).accepts(hints);
		});
	}

	@Test
	void whatDriversAreSetToCanBeReadAndChanged() throws Exception {
		RuntimeHints hints = process(Application.class);
		for (Class<?> type : List.of(ClientResources.class, LettuceClientConfiguration.class,
				JedisClientConfiguration.class)) {
			assertThat(RuntimeHintsPredicates.proxies().forInterfaces(type)).accepts(hints);
			for (Method method : type.getMethods()) {
				assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(method)).accepts(hints);
			}
		}
		assertThat(RuntimeHintsPredicates.reflection()
			.onFieldAccess(LettuceConnectionFactory.class.getDeclaredField("configuration"))).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onFieldAccess(RedisClient.class.getDeclaredField("redisURI")))
			.accepts(hints);
	}

	@ParameterizedTest
	@ValueSource(classes = { Journal.class, JournaledTaskStore.class, MigrationRunner.class, JdbcClient.class })
	void whatIsAskedForByNameIsFound(Class<?> type) {
		assertThat(RuntimeHintsPredicates.reflection().onType(type)).accepts(process(Application.class));
	}

	private static RuntimeHints process(Class<?> application) {
		DefaultGenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get(application)), new InMemoryGeneratedFiles());
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.register(application);
			new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		}
		generation.writeGeneratedContent();
		return generation.getRuntimeHints();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableDelayQueue
	static class Application {

		@Bean
		LettuceConnectionFactory redisConnectionFactory() {
			return new LettuceConnectionFactory();
		}

	}

}
