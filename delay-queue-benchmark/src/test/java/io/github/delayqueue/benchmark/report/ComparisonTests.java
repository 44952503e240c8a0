package io.github.delayqueue.benchmark.report;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.benchmark.measure.Sample;

import static org.assertj.core.api.Assertions.assertThat;

class ComparisonTests {

	private final Comparison comparison = new Comparison();

	@Test
	void figureIsWorseWhereThreeRoundsAgreeOnMoreThanATenth() {
		add("rate", 1000, 890, 700, 899);
		assertThat(this.comparison.worse()).containsExactly("drain rate");
	}

	@Test
	void oneRoundThatIsNotMuchWorseIsEnoughForDoubt() {
		add("rate", 1000, 500, 901, 500);
		assertThat(this.comparison.worse()).isEmpty();
	}

	@Test
	void fewerThanThreeRoundsProveNothing() {
		add("rate", 1000, 500, 500);
		assertThat(this.comparison.worse()).isEmpty();
	}

	@Test
	void moreCpuIsWorseAndLessIsNot() {
		add("clientCpu", 100, 111, 150, 112);
		add("serverCpu", 20, 10, 11, 12);
		assertThat(this.comparison.worse()).containsExactly("drain clientCpu");
	}

	@Test
	void roundsAreComparedWithTheirOwnCounterpart() {
		// a machine that slows down for both sides
		add("rate", 1000, 990);
		add("rate", 500, 495);
		add("rate", 250, 240);
		assertThat(this.comparison.worse()).isEmpty();
	}

	@Test
	void whatExplainsOnlyIsNotJudgedAndNotKept() {
		add("classes", 1000, 2000, 2000, 2000);
		add("rate", 1000, 1100, 1000, 1200);
		assertThat(this.comparison.worse()).isEmpty();
		assertThat(this.comparison.header()).isEqualTo("drain rate,drain rate ratio");
		assertThat(this.comparison.line()).isEqualTo("1100.0,1.100");
		assertThat(this.comparison.table()).contains("drain classes", "ratios 2.00 2.00 2.00")
			.contains("ratios 1.10 1.00 1.20");
	}

	private void add(String figure, double then, double... now) {
		for (double value : now) {
			this.comparison.add("drain", Sample.of(figure, then), Sample.of(figure, value));
		}
	}

}
