package io.github.delayqueue.benchmark.report;

import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.benchmark.measure.Counts;
import io.github.delayqueue.benchmark.measure.Result;
import io.github.delayqueue.benchmark.measure.Sample;

import static org.assertj.core.api.Assertions.assertThat;

class RowTests {

	private static final Row RATE = new Row("drain", "drain", "rate");

	private static final Row LATE = new Row("late", "drain", List.of("p50", "p99"));

	@Test
	void medianOfThreeProcessesHasTheLeastAndTheMostBesideIt() {
		assertThat(text(RATE, rates(71_234, 60_000, 90_000))).isEqualTo("71,200 (60,000–90,000)");
		assertThat(text(RATE, rates(71_234, 71_234, 71_233))).isEqualTo("71,200");
	}

	@Test
	void fewerThanThreeSaySo() {
		assertThat(text(RATE, rates(71_234))).isEqualTo("71,200 1×");
		assertThat(text(RATE, rates(71_234, 80_000))).isEqualTo("71,200 2×");
	}

	@Test
	void eachFigureHasItsSpread() {
		assertThat(text(LATE, late(1, 5), late(2, 4), late(1.5, 6))).isEqualTo("1.5 (1.0–2.0) / 5.0 (4.0–6.0)");
	}

	@Test
	void whoDidNotKeepUpHasTheRateBesideIt() {
		Sample sample = late(1, 2).with("offered", 1000);
		assertThat(text(LATE, sample.with("rate", 900))).endsWith(" at 900/s");
		assertThat(text(LATE, sample.with("rate", 995))).doesNotContain(" at ");
	}

	@Test
	void figuresOfARunInWhichSomethingWentWrongAreNotQuoted() {
		for (Counts counts : List.of(new Counts(1, 0, 0), new Counts(0, 1, 0), new Counts(0, 0, 1),
				new Counts(0, 0, 0, 1))) {
			assertThat(text(RATE, Sample.of("rate", 7654).with(counts))).startsWith("not quoted: ").doesNotContain("7");
		}
		assertThat(RATE.text(List.of(new Result("drain", "ours", null, "failed: no connection")), "ours"))
			.isEqualTo("failed");
	}

	@Test
	void boundsAreMarked() {
		assertThat(text(RATE, Sample.of("rate", 833.3).with(new Counts(17, 0, 0)).asStopped())).startsWith("< 833");
		assertThat(text(RATE, Sample.of("rate", 50_000).with("more", 1))).startsWith("≥ 50,000");
	}

	@Test
	void whatWasNotMeasuredIsADash() {
		assertThat(text(LATE, rates(1))).isEqualTo("–");
		assertThat(RATE.text(List.of(new Result("drain", "loop", Sample.of("rate", 1), null)), "ours")).isEqualTo("–");
		assertThat(RATE.text(List.of(new Result("drain", "ours", null, "left out")), "ours")).isEqualTo("–");
	}

	@Test
	void figuresSayNoMoreThanTheyKnow() {
		assertThat(Row.format(0.64)).isEqualTo("0.6");
		assertThat(Row.format(9.96)).isEqualTo("10");
		assertThat(Row.format(368.6)).isEqualTo("369");
		assertThat(Row.format(4217)).isEqualTo("4,220");
		assertThat(Row.format(99_960)).isEqualTo("100,000");
	}

	private static Sample[] rates(double... rates) {
		return Arrays.stream(rates).mapToObj((rate) -> Sample.of("rate", rate)).toArray(Sample[]::new);
	}

	private static Sample late(double p50, double p99) {
		return Sample.of("p50", p50).with("p99", p99);
	}

	private static String text(Row row, Sample... samples) {
		List<Result> results = Arrays.stream(samples)
			.map((sample) -> new Result("drain", "ours", sample, null))
			.toList();
		return row.text(results, "ours");
	}

}
