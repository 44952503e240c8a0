package io.github.delayqueue.benchmark.measure;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SampleTests {

	@Test
	void percentileIsTheValueThatSoManyDoNotExceed() {
		double[] values = IntStream.rangeClosed(1, 1000).asDoubleStream().toArray();
		assertThat(Sample.percentile(values, 50)).isEqualTo(500);
		assertThat(Sample.percentile(values, 99)).isEqualTo(990);
		assertThat(Sample.percentile(new double[] { 7 }, 50)).isEqualTo(7);
		assertThat(Sample.of("rate", 1).withPercentiles("p", new double[0]).values()).containsOnlyKeys("rate");
	}

	@Test
	void ofSeveralDrainsTheMiddleOneCountsWithWhatWentWrongInAny() {
		List<Sample> drains = Stream.of(30, 10, 20, 40).map((rate) -> Sample.of("rate", rate)).toList();
		assertThat(Sample.median(drains)).isEqualTo(drains.get(2));
		Counts counts = new Counts(1, 0, 2);
		Sample median = Sample.median(List.of(drains.get(0), drains.get(1).with(counts).asStopped()));
		assertThat(median).isEqualTo(drains.get(1).with(counts).asStopped());
	}

}
