package io.github.delayqueue.autoconfigure;

import java.time.Clock;
import java.time.Duration;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MeterRegistryCustomizer;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.github.delayqueue.annotation.DelayQueueListener;
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
			.withClassLoader(new FilteredClassLoader("io.micrometer.core"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("delayQueueMetrics"));
	}

	@Test
	void absentWhenTheDelayQueueIsDisabled() {
		this.registryContextRunner.withPropertyValues("delay-queue.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(DelayQueueMetrics.class));
	}

	@Test
	void backsOffForOneOfTheApplication() {
		DelayQueueMetrics metrics = mock();
		this.registryContextRunner.withBean(DelayQueueMetrics.class, () -> metrics)
			.run((context) -> assertThat(context.getBean(DelayQueueMetrics.class)).isSameAs(metrics));
	}

	@Test
	void schedulingIsMeasured() {
		this.registryContextRunner.run((context) -> {
			context.getBean(DelayQueueOperations.class).schedule("a", "payload", Duration.ofHours(1));
			MeterRegistry meters = context.getBean(MeterRegistry.class);
			assertThat(meters.get("delay.queue.schedule").tag("queue", "a").timer().count()).isEqualTo(1);
			assertThat(meters.get("delay.queue.tasks").tags("queue", "a", "state", "scheduled").gauge().value())
				.isEqualTo(1);
		});
	}

	@Test
	void metersThatThePropertyDoesNotNameAreOneForAllQueues() {
		this.registryContextRunner
			.withPropertyValues("delay-queue.metrics.per-queue=delay.queue.tasks,delay.queue.schedule.errors")
			.run((context) -> {
				context.getBean(DelayQueueOperations.class).schedule("a", "payload", Duration.ofHours(1));
				MeterRegistry meters = context.getBean(MeterRegistry.class);
				assertThat(meters.get("delay.queue.schedule").tag("queue", "(other)").timer().count()).isEqualTo(1);
				assertThat(meters.get("delay.queue.tasks").tags("queue", "a", "state", "scheduled").gauge().value())
					.isEqualTo(1);
				assertThat(meters.find("delay.queue.paused").gauge()).isNull();
			});
	}

	@Test
	void consumedQueuesAreMeasuredFromTheStart() {
		this.registryContextRunner.withBean(Listener.class)
			.withPropertyValues("delay-queue.listener.auto-startup=false")
			.run((context) -> assertThat(context.getBean(MeterRegistry.class)
				.get("delay.queue.process")
				.tags("queue", "order_timeout", "outcome", "dead")
				.timer()
				.count()).isZero());
	}

	@Test
	void customizersOfTheRegistryApply() {
		this.registryContextRunner.withUserConfiguration(CommonTags.class).run((context) -> {
			context.getBean(DelayQueueOperations.class).schedule("a", "payload", Duration.ofHours(1));
			assertThat(context.getBean(MeterRegistry.class).get("delay.queue.schedule").timer().getId().getTag("app"))
				.isEqualTo("shop");
		});
	}

	@Test
	void severalRegistriesAreServed() {
		this.contextRunner.withBean("one", SimpleMeterRegistry.class, SimpleMeterRegistry::new)
			.withBean("two", SimpleMeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> {
				context.getBean(DelayQueueOperations.class).schedule("a", "payload", Duration.ofHours(1));
				assertThat(context.getBean("one", MeterRegistry.class).get("delay.queue.schedule").timer().count())
					.isEqualTo(1);
				assertThat(context.getBean("two", MeterRegistry.class).get("delay.queue.schedule").timer().count())
					.isEqualTo(1);
			});
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DelayQueueAutoConfiguration.class, DelayQueueMetricsAutoConfiguration.class })
	static class WithoutMicrometer {

		@Bean
		InMemoryTaskStore store() {
			return new InMemoryTaskStore(Clock.systemUTC());
		}

	}

	static class Listener {

		@DelayQueueListener(queue = "order_timeout")
		void handle(String payload) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class CommonTags {

		@Bean
		MeterRegistryCustomizer<MeterRegistry> commonTags() {
			return (registry) -> registry.config().commonTags("app", "shop");
		}

	}

}
