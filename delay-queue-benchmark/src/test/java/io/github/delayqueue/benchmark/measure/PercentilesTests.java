package io.github.delayqueue.benchmark.measure;

import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PercentilesTests {

	@Test
	void isTheValueThatSoManyDoNotExceed() {
		double[] values = IntStream.rangeClosed(1, 1000).asDoubleStream().toArray();
		assertThat(Percentiles.of(values, 50)).isEqualTo(500);
		assertThat(Percentiles.of(values, 99)).isEqualTo(990);
		assertThat(Percentiles.of(values, 99.9)).isEqualTo(999);
		assertThat(Percentiles.of(values, 100)).isEqualTo(1000);
	}

	@Test
	void ofASingleValueIsThatValueAndOfNoneIsNoNumber() {
		assertThat(Percentiles.of(new double[] { 7 }, 50)).isEqualTo(7);
		assertThat(Percentiles.of(new double[0], 50)).isNaN();
	}

}
