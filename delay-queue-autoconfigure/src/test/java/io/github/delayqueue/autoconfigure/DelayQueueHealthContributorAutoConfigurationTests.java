package io.github.delayqueue.autoconfigure;

import java.time.Clock;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.github.delayqueue.actuate.DelayQueueHealthIndicator;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DelayQueueHealthContributorAutoConfiguration}.
 */
class DelayQueueHealthContributorAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DelayQueueAutoConfiguration.class,
				DelayQueueHealthContributorAutoConfiguration.class))
		.withBean(InMemoryTaskStore.class, () -> new InMemoryTaskStore(Clock.systemUTC()));

	@Test
	void presentByDefault() {
		this.contextRunner.run((context) -> {
			assertThat(context).hasSingleBean(DelayQueueHealthIndicator.class);
			Health health = context.getBean(DelayQueueHealthIndicator.class).health();
			assertThat(health).isNotNull();
			assertThat(health.getStatus()).isEqualTo(Status.UP);
		});
	}

	@Test
	void largestLagComesFromTheProperties() {
		this.contextRunner.withPropertyValues("delay-queue.health.max-lag=1ms").run((context) -> {
			context.getBean(DelayQueueListenerContainerRegistry.class)
				.register("late", String.class, (task, taskContext) -> TaskResult.done(), ListenerOptions.defaults());
			Health health = context.getBean(DelayQueueHealthIndicator.class).health();
			assertThat(health).isNotNull();
			assertThat(health.getDetails().get("listeners")).asString().contains("lag=PT0S, lagging=false");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "delayqueue", "delayQueue", "delay-queue" })
	void isSwitchedOffByItsNameHoweverItIsSpelt(String name) {
		this.contextRunner.withInitializer((context) -> ConfigurationPropertySources.attach(context.getEnvironment()))
			.withPropertyValues("management.health." + name + ".enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(DelayQueueHealthIndicator.class));
	}

	@Test
	void absentWhenTheDelayQueueIsDisabled() {
		this.contextRunner.withPropertyValues("delay-queue.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(DelayQueueHealthIndicator.class));
	}

	@Test
	void absentWithoutHealth() {
		this.contextRunner.withClassLoader(new FilteredClassLoader(HealthIndicator.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("delayQueueHealthIndicator"));
	}

	@Test
	void backsOffForOneOfTheApplication() {
		HealthIndicator indicator = () -> Health.up().build();
		this.contextRunner.withBean("delayQueueHealthIndicator", HealthIndicator.class, () -> indicator)
			.run((context) -> assertThat(context).doesNotHaveBean(DelayQueueHealthIndicator.class)
				.getBean("delayQueueHealthIndicator")
				.isSameAs(indicator));
	}

}
