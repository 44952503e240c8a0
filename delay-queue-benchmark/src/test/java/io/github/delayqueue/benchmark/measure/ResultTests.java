package io.github.delayqueue.benchmark.measure;

import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ResultTests {

	@Test
	void medianIsTheMiddleOneWhateverTheOrder() {
		assertThat(result(30, 10, 20).median("rate")).hasValue(20);
	}

	@Test
	void medianOfAnEvenNumberIsTheLowerOfTheMiddleTwo() {
		assertThat(result(40, 10, 30, 20).median("rate")).hasValue(20);
	}

	@Test
	void thereIsNoMedianOfWhatWasNotMeasured() {
		assertThat(result(1).median("p99")).isEmpty();
	}

	@Test
	void countsAreAddedUp() {
		List<Sample> samples = List.of(Sample.of("rate", 1).with(new Counts(1, 0, 2)),
				Sample.of("rate", 1).with(new Counts(0, 3, 4)));
		assertThat(new Result("drain", "ours", samples, null).counts()).isEqualTo(new Counts(1, 3, 6));
	}

	private static Result result(double... rates) {
		return new Result("drain", "ours", Arrays.stream(rates).mapToObj((rate) -> Sample.of("rate", rate)).toList(),
				null);
	}

}
