package io.github.delayqueue.autoconfigure;

import java.time.Clock;
import java.time.Duration;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.event.TaskObserver;
import io.github.delayqueue.observation.DelayQueueObservations;
import io.github.delayqueue.observation.LinkingTracingObservationHandler;
import io.github.delayqueue.observation.ScheduleObservationContext;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link DelayQueueObservationAutoConfiguration}.
 */
class DelayQueueObservationAutoConfigurationTests {

	private final ApplicationContextRunner bare = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(DelayQueueAutoConfiguration.class, DelayQueueObservationAutoConfiguration.class))
		.withBean(InMemoryTaskStore.class, () -> new InMemoryTaskStore(Clock.systemUTC()));

	private final ApplicationContextRunner withRegistry = this.bare
		.withConfiguration(AutoConfigurations.of(ObservationAutoConfiguration.class));

	private final ApplicationContextRunner withTracer = this.withRegistry.withBean(Tracer.class, () -> Tracer.NOOP)
		.withBean(Propagator.class, () -> Propagator.NOOP);

	@Test
	void presentWithATracer() {
		this.withTracer.run((context) -> {
			assertThat(context).hasSingleBean(DelayQueueObservations.class)
				.hasSingleBean(LinkingTracingObservationHandler.class);
			assertThat(context.getBean(TaskEvents.class).observer())
				.isSameAs(context.getBean(DelayQueueObservations.class));
		});
	}

	@Test
	void absentWithoutATracer() {
		this.withRegistry.run((context) -> {
			assertThat(context).hasSingleBean(ObservationRegistry.class).doesNotHaveBean(TaskObserver.class);
			assertThat(context.getBean(TaskEvents.class).observer().isActive()).isFalse();
		});
	}

	@Test
	void presentWithoutATracerIfAskedFor() {
		this.withRegistry.withPropertyValues("delay-queue.observation.enabled=true")
			.run((context) -> assertThat(context).hasSingleBean(DelayQueueObservations.class)
				.doesNotHaveBean(LinkingTracingObservationHandler.class));
	}

	@Test
	void absentWhenSwitchedOff() {
		this.withTracer.withPropertyValues("delay-queue.observation.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(TaskObserver.class));
	}

	@Test
	void absentWithoutARegistry() {
		this.bare.withBean(Tracer.class, () -> Tracer.NOOP)
			.withPropertyValues("delay-queue.observation.enabled=true")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(TaskObserver.class));
	}

	@Test
	void absentWithoutMicrometer() {
		new ApplicationContextRunner().withUserConfiguration(WithoutObservations.class)
			.withBean(InMemoryTaskStore.class, () -> new InMemoryTaskStore(Clock.systemUTC()))
			.withClassLoader(new FilteredClassLoader("io.micrometer.tracing", "io.micrometer.observation"))
			.withPropertyValues("delay-queue.observation.enabled=true")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("delayQueueObservations"));
	}

	@Test
	void linksAreAbsentWithoutMicrometerTracing() {
		this.withRegistry.withClassLoader(new FilteredClassLoader("io.micrometer.tracing"))
			.withPropertyValues("delay-queue.observation.enabled=true")
			.run((context) -> assertThat(context).hasSingleBean(DelayQueueObservations.class)
				.doesNotHaveBean("delayQueueLinkingTracingObservationHandler"));
	}

	@Test
	void backsOffForOneOfTheApplication() {
		TaskObserver observer = mock();
		this.withTracer.withBean(TaskObserver.class, () -> observer).run((context) -> {
			assertThat(context).doesNotHaveBean(DelayQueueObservations.class);
			assertThat(context.getBean(TaskEvents.class).observer()).isSameAs(observer);
		});
	}

	@Test
	void handlerMayDependOnWhatSchedules() {
		this.withRegistry.withUserConfiguration(SchedulingHandlerConfiguration.class)
			.withPropertyValues("delay-queue.observation.enabled=true")
			.run((context) -> {
				context.getBean(DelayQueueOperations.class).schedulePayload("a", "payload", Duration.ofHours(1));
				assertThat(context.getBean(SchedulingHandler.class).name).isEqualTo("delay.queue.schedule");
			});
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DelayQueueAutoConfiguration.class, DelayQueueObservationAutoConfiguration.class })
	static class WithoutObservations {

	}

	@Configuration(proxyBeanMethods = false)
	static class SchedulingHandlerConfiguration {

		@Bean
		SchedulingHandler schedulingHandler(DelayQueueOperations delayQueue) {
			return new SchedulingHandler(delayQueue);
		}

	}

	static class SchedulingHandler implements ObservationHandler<Observation.Context> {

		private String name;

		SchedulingHandler(DelayQueueOperations delayQueue) {
			assertThat(delayQueue).isNotNull();
		}

		@Override
		public void onStop(Observation.Context context) {
			this.name = context.getName();
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return context instanceof ScheduleObservationContext;
		}

	}

}
