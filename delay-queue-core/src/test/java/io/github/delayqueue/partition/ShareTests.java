package io.github.delayqueue.partition;

import java.time.Duration;

import io.github.delayqueue.limits.FlowLimits;
import io.github.delayqueue.limits.RateLimit;
import io.github.delayqueue.store.ClaimTerms;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Share}.
 */
class ShareTests {

	@Test
	void partsOfALimitAreTheWhole() {
		FlowLimits limits = new FlowLimits(RateLimit.parse("100/s"), 10);
		ClaimTerms terms = ClaimTerms.of(Duration.ofSeconds(30), limits.parts(), null);
		int sum = 0;
		for (int partition = 0; partition < 8; partition++) {
			FlowLimits part = FlowLimits.of(new Share(partition, 8).of(terms).parts());
			assertThat(part.rate()).isEqualTo(new RateLimit(100, Duration.ofSeconds(8)));
			assertThat(part.inFlight()).isBetween(1, 2);
			sum += part.inFlight();
		}
		assertThat(sum).isEqualTo(10);
		assertThat(new Share(0, 1).of(terms)).isSameAs(terms);
	}

}
