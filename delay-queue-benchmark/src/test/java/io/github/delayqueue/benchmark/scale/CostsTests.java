package io.github.delayqueue.benchmark.scale;

import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CostsTests {

	@Test
	void medianMeanAndMaximumAreThoseOfAllCalls() {
		Costs costs = new Costs();
		LongStream.of(9000, 1000, 2000).forEach(costs::add);
		assertThat(costs.medianMicros()).isEqualTo(2);
		assertThat(costs.meanMicros()).isEqualTo(4);
		assertThat(costs.maxMicros()).isEqualTo(9);
	}

	@Test
	void moreCallsThanExpectedAreKept() {
		Costs costs = new Costs();
		LongStream.rangeClosed(1, 5000).map((micros) -> micros * 1000).forEach(costs::add);
		assertThat(costs.maxMicros()).isEqualTo(5000);
		assertThat(costs.meanMicros()).isEqualTo(2500.5);
	}

	@Test
	void withoutCallsAllIsZero() {
		Costs costs = new Costs();
		costs.add(1000);
		costs.clear();
		assertThat(costs.medianMicros()).isZero();
		assertThat(costs.meanMicros()).isZero();
		assertThat(costs.maxMicros()).isZero();
	}

}
