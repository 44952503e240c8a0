package io.github.delayqueue.autoconfigure;

import java.time.Clock;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.event.ContextRefreshedEvent;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the warning of a {@code shutdown-timeout} that is longer than a phase.
 */
@ExtendWith(OutputCaptureExtension.class)
class ShutdownTimeoutCheckTests {

	private static final String WARNING = "is longer than spring.lifecycle.timeout-per-shutdown-phase";

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DelayQueueAutoConfiguration.class, LifecycleAutoConfiguration.class))
		.withBean(InMemoryTaskStore.class, () -> new InMemoryTaskStore(Clock.systemUTC()));

	@Test
	void silentByDefault(CapturedOutput output) {
		this.contextRunner.withBean(Listener.class).run((context) -> assertThat(output).doesNotContain(WARNING));
	}

	@Test
	void warnsOnceWhenAPhaseIsShorterThanListenersNeed(CapturedOutput output) {
		this.contextRunner.withBean(Listener.class)
			.withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=10s",
					"delay-queue.listener.auto-startup=false")
			.run((context) -> {
				context.publishEvent(new ContextRefreshedEvent(context.getSourceApplicationContext()));
				assertThat(output).containsOnlyOnce(WARNING)
					.contains("order_timeout")
					.contains("(25s)")
					.contains("(10s)");
			});
	}

	@Test
	void warnsOfASingleQueue(CapturedOutput output) {
		this.contextRunner.withBean(Listener.class)
			.withPropertyValues("delay-queue.queues.order_timeout.listener.shutdown-timeout=31s",
					"delay-queue.listener.auto-startup=false")
			.run((context) -> assertThat(output).containsOnlyOnce(WARNING).contains("(31s)").contains("(30s)"));
	}

	@Test
	void silentWithoutListeners(CapturedOutput output) {
		this.contextRunner.withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=10s")
			.run((context) -> assertThat(output).doesNotContain(WARNING));
	}

	static class Listener {

		@DelayQueueListener(queue = "order_timeout")
		void handle(String payload) {
		}

	}

}
