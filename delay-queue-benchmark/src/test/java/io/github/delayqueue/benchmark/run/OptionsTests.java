package io.github.delayqueue.benchmark.run;

import java.util.Map;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.catalog.Systems;
import io.github.delayqueue.benchmark.measure.Measure;
import io.github.delayqueue.benchmark.measure.Measures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class OptionsTests {

	@Test
	void allIsRunWhereNothingIsSaidAndEmptyTextSaysNothing() {
		Options options = options(Map.of("benchmark.systems", "", "benchmark.quick", "false"));
		assertThat(options.systems()).isEqualTo(Systems.all());
		assertThat(options.measures()).isEqualTo(Measures.all());
		assertThat(options.isComplete()).isTrue();
	}

	@Test
	void keyOfAMeasureMeansThatOneAndABeginningMeansAllThatBeginSo() {
		assertThat(options(Map.of("benchmark.measures", "drain")).measures()).extracting(Measure::key)
			.containsExactly("drain");
		assertThat(options(Map.of("benchmark.measures", "drain,drain-,enqueue")).measures()).extracting(Measure::key)
			.containsExactly("drain-cold", "drain", "drain-1m", "enqueue-1", "enqueue-16", "enqueue-bulk");
	}

	@Test
	void systemsAreRunInTheOrderGiven() {
		assertThat(options(Map.of("benchmark.systems", "loop,ours")).systems()).extracting(SystemType::key)
			.containsExactly("loop", "ours");
	}

	@Test
	void partOfTheSystemsOrAQuickRunIsNotComplete() {
		assertThat(options(Map.of("benchmark.systems", "loop,ours")).isComplete()).isFalse();
		assertThat(options(Map.of("benchmark.quick", "true")).isComplete()).isFalse();
	}

	@Test
	void whatDoesNotExistIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> options(Map.of("benchmark.systems", "kafka")))
			.withMessageContaining("kafka")
			.withMessageContaining("ours");
		assertThatIllegalArgumentException().isThrownBy(() -> options(Map.of("benchmark.measures", "taste")))
			.withMessageContaining("taste")
			.withMessageContaining("drain");
	}

	private static Options options(Map<String, String> properties) {
		return Options.read(properties::get);
	}

}
