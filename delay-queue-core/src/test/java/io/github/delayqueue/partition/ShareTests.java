package io.github.delayqueue.partition;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.store.FlowLimits;
import io.github.delayqueue.store.RateLimit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Share}.
 */
class ShareTests {

	@Test
	void partsOfALimitAreTheWhole() {
		FlowLimits limits = new FlowLimits(RateLimit.parse("100/s"), 10);
		int sum = 0;
		for (int partition = 0; partition < 8; partition++) {
			FlowLimits part = new Share(partition, 8).of(limits);
			assertThat(part.rate()).isEqualTo(new RateLimit(100, Duration.ofSeconds(8)));
			assertThat(part.inFlight()).isBetween(1, 2);
			sum += part.inFlight();
		}
		assertThat(sum).isEqualTo(10);
		assertThat(new Share(0, 1).of(limits)).isEqualTo(limits);
	}

}
