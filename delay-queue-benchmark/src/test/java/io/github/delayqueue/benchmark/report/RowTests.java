package io.github.delayqueue.benchmark.report;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.benchmark.report.Row.Unit;

import static io.github.delayqueue.benchmark.report.TestRuns.result;
import static org.assertj.core.api.Assertions.assertThat;

class RowTests {

	private final Row row = new Row("drain", "drain", "rate", Unit.RATE, "loop");

	private final Run run = TestRuns.of(result("drain", "ours", "rate", 71_234),
			result("drain", "loop", "rate", 142_468), TestRuns.stopped("drain", "redisson", 833.3));

	@Test
	void showsThreeDigitsAndTheRatioToTheBase() {
		assertThat(this.row.text(this.run, "ours")).isEqualTo("71,200 (×0.50)");
	}

	@Test
	void baseHasNoRatio() {
		assertThat(this.row.text(this.run, "loop")).isEqualTo("142,000");
	}

	@Test
	void rateOfASystemThatWasStoppedIsABound() {
		assertThat(this.row.text(this.run, "redisson")).startsWith("< 833");
	}

	@Test
	void whatWasNotMeasuredIsADash() {
		assertThat(this.row.text(this.run, "bare")).isEqualTo("–");
	}

	@Test
	void unitsAreWrittenAsTheyDeserve() {
		assertThat(Unit.MILLIS.format(0.64)).isEqualTo("0.6");
		assertThat(Unit.MILLIS.format(1270.4)).isEqualTo("1,270");
		assertThat(Unit.BYTES.format(368.6)).isEqualTo("369");
		assertThat(Unit.PERCENT.format(0.456)).isEqualTo("0.46");
		assertThat(Unit.RATE.format(7)).isEqualTo("7");
		assertThat(Unit.RATE.format(99_960)).isEqualTo("100,000");
		assertThat(Unit.SECONDS.format(-0.2)).isEqualTo("0");
	}

}
