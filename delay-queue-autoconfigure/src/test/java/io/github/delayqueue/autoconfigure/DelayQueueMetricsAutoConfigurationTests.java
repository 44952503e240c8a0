package io.github.delayqueue.autoconfigure;

import java.time.Clock;
import java.time.Duration;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

import io.github.delayqueue.metrics.DelayQueueMetrics;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link DelayQueueMetricsAutoConfiguration}.
 */
class DelayQueueMetricsAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(DelayQueueAutoConfiguration.class, DelayQueueMetricsAutoConfiguration.class,
						MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class))
		.withBean(InMemoryTaskStore.class, () -> new InMemoryTaskStore(Clock.systemUTC()));

	private final ApplicationContextRunner registryContextRunner = this.contextRunner
		.withBean(SimpleMeterRegistry.class, SimpleMeterRegistry::new);

	@Test
	void presentWithAMeterRegistry() {
		this.registryContextRunner.run((context) -> assertThat(context).hasSingleBean(DelayQueueMetrics.class));
	}

	@Test
	void absentWithoutAMeterRegistry() {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(DelayQueueAutoConfiguration.class, DelayQueueMetricsAutoConfiguration.class))
			.withBean(InMemoryTaskStore.class, () -> new InMemoryTaskStore(Clock.systemUTC()))
			.run((context) -> assertThat(context).doesNotHaveBean(DelayQueueMetrics.class));
	}

	@Test
	void absentWithoutMicrometer() {
		new ApplicationContextRunner().withUserConfiguration(WithoutMicrometer.class)
			.withBean(InMemoryTaskStore.class, () -> new InMemoryTaskStore(Clock.systemUTC()))
			.withClassLoader(new FilteredClassLoader("io.micrometer.core"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("delayQueueMetrics"));
	}

	@Test
	void backsOffForOneOfTheApplication() {
		DelayQueueMetrics metrics = mock();
		this.registryContextRunner.withBean(DelayQueueMetrics.class, () -> metrics)
			.run((context) -> assertThat(context.getBean(DelayQueueMetrics.class)).isSameAs(metrics));
	}

	@Test
	void metersThatThePropertyDoesNotNameAreOneForAllQueues() {
		this.registryContextRunner
			.withPropertyValues("delay-queue.metrics.per-queue=delay.queue.tasks,delay.queue.schedule.errors")
			.run((context) -> {
				context.getBean(DelayQueueOperations.class).schedulePayload("a", "payload", Duration.ofHours(1));
				MeterRegistry meters = context.getBean(MeterRegistry.class);
				assertThat(meters.get("delay.queue.schedule").tag("queue", "(other)").timer().count()).isEqualTo(1);
				assertThat(meters.get("delay.queue.tasks").tags("queue", "a", "state", "waiting").gauge().value())
					.isEqualTo(1);
				assertThat(meters.find("delay.queue.paused").gauge()).isNull();
			});
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DelayQueueAutoConfiguration.class, DelayQueueMetricsAutoConfiguration.class })
	static class WithoutMicrometer {

	}

}
