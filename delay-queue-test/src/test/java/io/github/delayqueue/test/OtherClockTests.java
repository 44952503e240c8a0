package io.github.delayqueue.test;

import java.time.Clock;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests often declare a clock themselves, and mark it as the one to inject.
 */
@DelayQueueTest
class OtherClockTests {

	@Test
	void clockOfTheKitIsThePrimaryOne(@Autowired Clock injected, @Autowired DelayQueueTestClock clock,
			@Autowired @Qualifier("fixedClock") Clock other) {
		assertThat(injected).isSameAs(clock);
		assertThat(other).isNotSameAs(clock);
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class FixedClock {

		@Bean
		@Primary
		Clock fixedClock() {
			return Clock.systemUTC();
		}

	}

}
