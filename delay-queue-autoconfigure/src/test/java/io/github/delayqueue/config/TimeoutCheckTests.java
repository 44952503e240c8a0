package io.github.delayqueue.config;

import java.time.Clock;
import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TimeoutCheck}, of the time of commands.
 */
@ExtendWith(OutputCaptureExtension.class)
class TimeoutCheckTests {

	private static final String WARNING = "is longer than a third of the lease duration";

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withUserConfiguration(Application.class)
		.withBean(Listeners.class);

	@Test
	void silentWhereAThirdOfTheLeaseDurationIsEnough(CapturedOutput output) {
		withTimeout(Duration.ofMillis(2_000)).run((context) -> assertThat(output).doesNotContain(WARNING));
	}

	@Test
	void warnsOnceAndNamesTheListenerAndBothTimes(CapturedOutput output) {
		withTimeout(Duration.ofMillis(2_001)).run((context) -> {
			context.publishEvent(new ContextRefreshedEvent(context.getSourceApplicationContext()));
			assertThat(output).containsOnlyOnce(WARNING)
				.contains("(2s1ms)")
				.contains("listener 'short'")
				.contains("(6s)");
		});
	}

	@Test
	void storeOfTheApplicationsOwnHasNoCommands(CapturedOutput output) {
		withTimeout(Duration.ofMinutes(1))
			.withBean(InMemoryTaskStore.class, () -> new InMemoryTaskStore(Clock.systemUTC()))
			.run((context) -> assertThat(output).doesNotContain(WARNING));
	}

	private ApplicationContextRunner withTimeout(Duration timeout) {
		return this.contextRunner
			.withBean(RedisConnectionFactory.class, () -> new LettuceConnectionFactory("localhost", 1))
			.withBean(DelayQueueSettings.class, () -> DelayQueueSettings.defaults().withCommandTimeout(timeout));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableDelayQueue
	static class Application {

	}

	static class Listeners {

		@DelayQueueListener(queue = "long", autoStartup = "false")
		void takesItsTime(String payload) {
		}

		@DelayQueueListener(queue = "short", id = "short", leaseDuration = "6s", autoStartup = "false")
		void hurries(String payload) {
		}

	}

}
