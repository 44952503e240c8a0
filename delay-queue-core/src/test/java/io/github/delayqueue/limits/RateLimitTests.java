package io.github.delayqueue.limits;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of {@link RateLimit} and {@link GlobalConcurrency}.
 */
class RateLimitTests {

	@ParameterizedTest
	@CsvSource({ "100/s, 100, PT1S", "1/m, 1, PT1M", "5/h, 5, PT1H", "' 30 / m ', 30, PT1M",
			"1000000/s, 1000000, PT1S" })
	void readsANumberOfTasksInAUnit(String text, int tasks, Duration period) {
		assertThat(RateLimit.parse(text)).isEqualTo(new RateLimit(tasks, period));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "100", "100/", "/s", "s/100", "100/d", "100/ms", "100/S", "1.5/s", "-1/s", "+1/s",
			"1e3/s", "100/s/s", "99999999/s", "\u0661/s", "0x10/s", "${rate}/s" })
	void whatIsNoRateIsRefusedWithAnExample(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> RateLimit.parse(text)).withMessageContaining("100/s");
	}

	@ParameterizedTest
	@ValueSource(strings = { "0/s", "1000001/s" })
	void numberOutOfBoundsIsRefused(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> RateLimit.parse(text))
			.withMessageContaining("1 to 1000000");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "PT0S", "PT-1S", "PT0.000999999S", "PT-2562047788015215H-30M-8S", "PT2562047788015215H30M7S" })
	void impossiblePeriodIsRefused(String period) {
		assertThatIllegalArgumentException().isThrownBy(() -> new RateLimit(1, Duration.parse(period)))
			.withMessageContaining("its period must be a millisecond to 36500 days");
	}

}
