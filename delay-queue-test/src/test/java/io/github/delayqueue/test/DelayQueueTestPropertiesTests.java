package io.github.delayqueue.test;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.github.delayqueue.autoconfigure.DelayQueueAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DelayQueueTestProperties}.
 */
class DelayQueueTestPropertiesTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(DelayQueueTestAutoConfiguration.class, DelayQueueAutoConfiguration.class));

	@Test
	void clockStartsWhereThePropertySays() {
		this.runner.withPropertyValues("delay-queue.test.start-at=2026-01-01T00:00:00Z")
			.run((context) -> assertThat(context.getBean(DelayQueueTestClock.class).instant())
				.isEqualTo("2026-01-01T00:00:00Z"));
	}

	@Test
	void unknownPropertyIsAnError() {
		this.runner.withPropertyValues("delay-queue.test.store=redis")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("delay-queue.test.store"));
	}

	@Test
	void impossibleValueIsAnError() {
		this.runner.withPropertyValues("delay-queue.test.async-timeout=0s")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("delay-queue.test.async-timeout must be longer than zero"));
		this.runner.withPropertyValues("delay-queue.test.max-deliveries=0")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("delay-queue.test.max-deliveries must be at least 1"));
	}

	@Test
	void nothingIsThereIfTheDelayQueueIsOff() {
		this.runner.withPropertyValues("delay-queue.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(DelayQueueTestClock.class));
	}

}
