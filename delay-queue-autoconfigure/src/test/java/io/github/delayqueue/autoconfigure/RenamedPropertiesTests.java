package io.github.delayqueue.autoconfigure;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import io.github.delayqueue.SetupException;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link RenamedProperties}. What a failed start prints is in
 * {@link FailureAnalyzerTests}, the table of the change log in {@code RenamedNamesTests}.
 */
class RenamedPropertiesTests {

	@ParameterizedTest
	@CsvSource({ "delay-queue.listener.ttr, delay-queue.listener.lease-duration",
			"delayQueue.listener.deadAfter, delay-queue.listener.instance-timeout",
			"delay_queue.listener.claim_limit, delay-queue.listener.prefetch",
			"delay-queue.queues.a.listener.renew, delay-queue.queues.a.listener.auto-renew-lease",
			"delay-queue.queues[shop.orders:x].listener.timeout, delay-queue.queues[shop.orders:x].listener.handler-timeout",
			"delay-queue.queues.a.listener.claimLimit, delay-queue.queues.<name>.listener.prefetch" })
	void oldNameIsRefusedHoweverItIsSpelt(String name, String renamed) {
		assertRefused(new MapPropertySource("mine", Map.of(name, "5s")),
				"from property source \"mine\") is " + renamed);
		assertRefused(
				new MapPropertySource(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME, Map.of(name, "5s")),
				" is " + renamed);
	}

	@ParameterizedTest
	@CsvSource({ "DELAY_QUEUE_LISTENER_DEAD_AFTER, delay-queue.listener.instance-timeout",
			"DELAYQUEUE_LISTENER_DEADAFTER, delay-queue.listener.instance-timeout",
			"DELAYQUEUE_QUEUES_ORDERS_LISTENER_TTR, delay-queue.queues.<name>.listener.lease-duration",
			"DELAY_QUEUE_QUEUES_ORDERS_LISTENER_CLAIM_LIMIT, delay-queue.queues.<name>.listener.prefetch" })
	void environmentVariableIsRefused(String name, String renamed) {
		assertThatExceptionOfType(SetupException.class)
			.isThrownBy(() -> look(new SystemEnvironmentPropertySource(
					StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, Map.of(name, "5s"))))
			.withMessageContaining("(\"" + name + "\" from property source \"systemEnvironment\")")
			.withMessageEndingWith(" is " + renamed);
	}

	@Test
	void othersAreLeftAlone() {
		assertThatNoException().isThrownBy(() -> look(new MapPropertySource("mine",
				Map.of("delay-queue.listener.lease-duration", "5s", "delay-queue.listener.shutdown-timeout", "5s",
						"delay-queue.queues.a.listener.handler-timeout", "5s", "shop.listener.ttr", "5s",
						"delay-queue.queues[listener.ttr].partitions", "5", "delay-queue.journal.timeout", "5s"))));
	}

	private static void assertRefused(PropertySource<?> source, String text) {
		assertThatExceptionOfType(SetupException.class).isThrownBy(() -> look(source)).withMessageContaining(text);
	}

	private static void look(PropertySource<?> source) {
		StandardEnvironment environment = new StandardEnvironment();
		MutablePropertySources sources = environment.getPropertySources();
		sources.forEach((each) -> sources.remove(each.getName()));
		sources.addFirst(source);
		new RenamedProperties(environment).postProcessBeanFactory(new DefaultListableBeanFactory());
	}

}
