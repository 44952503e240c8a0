package io.github.delayqueue.autoconfigure;

import java.time.Clock;

import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.github.delayqueue.actuate.DelayQueueEndpoint;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link DelayQueueEndpointAutoConfiguration}.
 */
class DelayQueueEndpointAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(DelayQueueAutoConfiguration.class, DelayQueueEndpointAutoConfiguration.class))
		.withBean(InMemoryTaskStore.class, () -> new InMemoryTaskStore(Clock.systemUTC()));

	private final ApplicationContextRunner exposedContextRunner = this.contextRunner
		.withPropertyValues("management.endpoints.web.exposure.include=delayqueue");

	@Test
	void presentWhenExposed() {
		this.exposedContextRunner.run((context) -> assertThat(context).hasSingleBean(DelayQueueEndpoint.class));
	}

	@Test
	void absentWhenNotExposed() {
		this.contextRunner.run((context) -> assertThat(context).doesNotHaveBean(DelayQueueEndpoint.class));
	}

	@Test
	void absentWithoutAccess() {
		this.exposedContextRunner.withPropertyValues("management.endpoint.delayqueue.access=NONE")
			.run((context) -> assertThat(context).doesNotHaveBean(DelayQueueEndpoint.class));
	}

	@Test
	void absentWhenTheDelayQueueIsDisabled() {
		this.exposedContextRunner.withPropertyValues("delay-queue.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(DelayQueueEndpoint.class));
	}

	@Test
	void absentWithoutActuator() {
		this.exposedContextRunner.withClassLoader(new FilteredClassLoader(Endpoint.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("delayQueueEndpoint"));
	}

	@Test
	void backsOffForOneOfTheApplication() {
		DelayQueueEndpoint endpoint = mock();
		this.exposedContextRunner.withBean(DelayQueueEndpoint.class, () -> endpoint)
			.run((context) -> assertThat(context.getBean(DelayQueueEndpoint.class)).isSameAs(endpoint));
	}

}
