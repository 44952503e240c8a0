package io.github.delayqueue.benchmark.measure;

import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LatenessMeasureTests {

	@Test
	void percentileIsTheValueThatSoManyDoNotExceed() {
		double[] values = IntStream.rangeClosed(1, 500).asDoubleStream().toArray();
		assertThat(LatenessMeasure.percentile(values, 50)).isEqualTo(250);
		assertThat(LatenessMeasure.percentile(values, 99)).isEqualTo(495);
		assertThat(LatenessMeasure.percentile(values, 100)).isEqualTo(500);
	}

	@Test
	void percentileOfASingleValueIsThatValue() {
		assertThat(LatenessMeasure.percentile(new double[] { 7 }, 50)).isEqualTo(7);
	}

}
