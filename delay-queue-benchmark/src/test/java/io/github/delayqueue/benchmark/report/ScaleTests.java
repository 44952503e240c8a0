package io.github.delayqueue.benchmark.report;

import java.util.Arrays;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.benchmark.report.BarChart.Bar;
import io.github.delayqueue.benchmark.report.BarChart.Kind;
import io.github.delayqueue.benchmark.report.BarChart.Panel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class ScaleTests {

	@Test
	void logarithmicAxisHasTheDecadesAroundTheValues() {
		Scale scale = scale(true, 111, 45_000);
		assertThat(scale.ticks()).containsExactly(100, 1000, 10_000, 100_000);
		assertThat(scale.length(100)).isZero();
		assertThat(scale.length(1000)).isEqualTo(100, within(0.01));
		assertThat(scale.length(100_000)).isEqualTo(300, within(0.01));
	}

	@Test
	void shortestBarCanBeSeen() {
		assertThat(scale(true, 100, 5000).length(100)).isPositive();
	}

	@Test
	void nothingHasNoLength() {
		assertThat(scale(true, 0, 50).length(0)).isZero();
		assertThat(scale(false, 0, 50).length(0)).isZero();
	}

	@Test
	void linearAxisBeginsAtZeroAndHasRoundNumbers() {
		Scale scale = scale(false, 254, 369);
		assertThat(scale.ticks()).containsExactly(0, 100, 200, 300, 400);
		assertThat(scale.length(200)).isEqualTo(150, within(0.01));
	}

	private static Scale scale(boolean logarithmic, double... values) {
		return Scale.of(
				new Panel("", logarithmic,
						Arrays.stream(values).mapToObj((value) -> new Bar("", value, "", Kind.PEER, false)).toList()),
				300);
	}

}
