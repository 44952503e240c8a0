package io.github.delayqueue.benchmark.report;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.benchmark.measure.Counts;
import io.github.delayqueue.benchmark.measure.Result;
import io.github.delayqueue.benchmark.measure.Sample;

import static io.github.delayqueue.benchmark.report.TestRuns.result;
import static org.assertj.core.api.Assertions.assertThat;

class ColumnTests {

	private static final Column RATE = new Column("at once", "drain", "rate", Unit.RATE);

	private static final Column LATE = new Column("1,000/s", "open-1000", List.of("p50", "p99", "p999"), Unit.MILLIS);

	@Test
	void medianOfThreeProcessesHasTheLeastAndTheMostBesideIt() {
		assertThat(text(RATE, result("drain", "ours", "rate", 71_234, 60_000, 90_000)))
			.isEqualTo("71,200 (60,000–90,000)");
	}

	@Test
	void fewerThanThreeSaySo() {
		assertThat(text(RATE, result("drain", "ours", "rate", 71_234))).isEqualTo("71,200 1×");
		assertThat(text(RATE, result("drain", "ours", "rate", 71_234, 80_000))).isEqualTo("71,200 2×");
	}

	@Test
	void spreadIsThatOfTheMiddleFigure() {
		Result result = new Result("open-1000", "ours", List.of(late(1, 5, 9), late(2, 4, 8), late(1.5, 6, 7)), null);
		assertThat(text(LATE, result)).isEqualTo("1.5 / 5.0 (4.0–6.0) / 8.0");
	}

	@Test
	void whoDidNotKeepUpHasTheRateBesideIt() {
		Sample sample = late(1, 2, 3).with("offered", 1000).with("rate", 900);
		assertThat(text(LATE, new Result("open-1000", "ours", List.of(sample), null))).endsWith(" at 900/s");
		assertThat(text(LATE, new Result("open-1000", "ours", List.of(sample.with("rate", 995)), null)))
			.doesNotContain(" at ");
	}

	@Test
	void figuresOfARunInWhichSomethingWentWrongAreNotQuoted() {
		for (Counts counts : List.of(new Counts(1, 0, 0), new Counts(0, 1, 0), new Counts(0, 0, 1),
				new Counts(0, 0, 0, 1))) {
			Result result = new Result("drain", "ours", List.of(Sample.of("rate", 7654).with(counts)), null);
			assertThat(text(RATE, result)).startsWith("not quoted: ").doesNotContain("7");
		}
		assertThat(text(RATE, new Result("drain", "ours", List.of(), "failed: no connection"))).isEqualTo("failed");
	}

	@Test
	void boundsAreMarked() {
		assertThat(text(RATE, TestRuns.stopped("drain", "ours", 833.3))).startsWith("< 833");
		Result more = new Result("drain", "ours", List.of(Sample.of("rate", 50_000).with("more", 1)), null);
		assertThat(text(RATE, more)).startsWith("≥ 50,000");
	}

	@Test
	void whatWasNotMeasuredIsADash() {
		assertThat(text(RATE, result("drain", "loop", "rate", 1))).isEqualTo("–");
		assertThat(text(RATE, new Result("drain", "ours", List.of(), "left out"))).isEqualTo("–");
	}

	@Test
	void unitsAreWrittenAsTheyDeserve() {
		assertThat(Unit.MILLIS.format(0.64)).isEqualTo("0.6");
		assertThat(Unit.MILLIS.format(1270.4)).isEqualTo("1,270");
		assertThat(Unit.BYTES.format(368.6)).isEqualTo("369");
		assertThat(Unit.PERCENT.format(0.456)).isEqualTo("0.46");
		assertThat(Unit.RATE.format(7)).isEqualTo("7");
		assertThat(Unit.RATE.format(99_960)).isEqualTo("100,000");
	}

	private static String text(Column column, Result... results) {
		return column.text(TestRuns.of(results), "ours");
	}

	private static Sample late(double p50, double p99, double p999) {
		return Sample.of("p50", p50).with("p99", p99).with("p999", p999);
	}

}
