package io.github.delayqueue.autoconfigure;

import java.time.Clock;
import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.migration.Destination;
import io.github.delayqueue.migration.Migration;
import io.github.delayqueue.migration.MigrationRunner;
import io.github.delayqueue.migration.MigrationSettings;
import io.github.delayqueue.migration.RedissonMigration;
import io.github.delayqueue.migration.RedissonPayloads;
import io.github.delayqueue.migration.SortedSetMigration;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DelayQueueMigrationAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class DelayQueueMigrationAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, DelayQueueAutoConfiguration.class,
				DelayQueueMigrationAutoConfiguration.class))
		.withBean(InMemoryTaskStore.class, () -> new InMemoryTaskStore(Clock.systemUTC()))
		// nobody listens there, and nobody has to
		.withPropertyValues("spring.data.redis.port=1");

	private final ApplicationContextRunner enabled = this.contextRunner
		.withPropertyValues("delay-queue.migration.enabled=true");

	@Test
	void absentByDefault() {
		this.contextRunner.withUserConfiguration(Migrations.class)
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(MigrationRunner.class)
				.doesNotHaveBean(Destination.class)
				.doesNotHaveBean(MigrationSettings.class));
	}

	@Test
	void presentAndRunningWhenEnabled() {
		this.enabled.withUserConfiguration(Migrations.class).run((context) -> {
			assertThat(context).hasSingleBean(MigrationRunner.class);
			assertThat(context.getBean(MigrationRunner.class).isRunning()).isTrue();
			assertThat(context.getBean(MigrationSettings.class)).isEqualTo(MigrationSettings.defaults("delay:queue:"));
		});
	}

	@Test
	void propertiesAreMapped() {
		this.enabled.withUserConfiguration(Migrations.class)
			.withPropertyValues("delay-queue.key-prefix=my:", "delay-queue.migration.interval=3s",
					"delay-queue.migration.batch-size=7", "delay-queue.migration.dry-run=true")
			.run((context) -> assertThat(context.getBean(MigrationSettings.class))
				.isEqualTo(new MigrationSettings("my:", Duration.ofSeconds(3), 7, true)));
	}

	@Test
	void saysSoWhenThereIsNothingToMove(CapturedOutput output) {
		this.enabled.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("there is no bean of type " + Migration.class.getName());
	}

	@Test
	void absentWithoutDelayQueue() {
		this.enabled.withUserConfiguration(Migrations.class)
			.withPropertyValues("delay-queue.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(MigrationRunner.class));
	}

	@Test
	void saysWhichModuleIsMissing() {
		this.enabled.withClassLoader(new FilteredClassLoader("io.github.delayqueue.migration"))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("delay-queue.migration.enabled")
				.hasMessageContaining("delay-queue-migration"));
	}

	@Test
	void absentWithoutSpringDataRedis() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DelayQueueAutoConfiguration.class,
					DelayQueueMigrationAutoConfiguration.class))
			.withPropertyValues("delay-queue.migration.enabled=true")
			.withClassLoader(new FilteredClassLoader(RedisConnectionFactory.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(MigrationRunner.class));
	}

	@Test
	void twoMigrationsFromTheSameSourceFail() {
		this.enabled.withUserConfiguration(Migrations.class)
			.withBean("another", Migration.class, () -> SortedSetMigration.from("orders").to("a").build())
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(DelayQueueException.class)
				.hasMessageContaining("Two migrations move 'orders'"));
	}

	@Test
	void withoutConnectionsItFailsWithASentence() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DelayQueueAutoConfiguration.class,
					DelayQueueMigrationAutoConfiguration.class))
			.withBean(InMemoryTaskStore.class, () -> new InMemoryTaskStore(Clock.systemUTC()))
			.withPropertyValues("delay-queue.migration.enabled=true")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(DelayQueueException.class)
				.hasMessageContaining("there is no RedisConnectionFactory"));
	}

	@Configuration(proxyBeanMethods = false)
	static class Migrations {

		@Bean
		Migration orders() {
			return RedissonMigration.from("orders").to("order_timeout").payload(RedissonPayloads.text()).build();
		}

	}

}
