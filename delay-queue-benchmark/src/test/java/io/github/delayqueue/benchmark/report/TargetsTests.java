package io.github.delayqueue.benchmark.report;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.benchmark.measure.Counts;
import io.github.delayqueue.benchmark.measure.Result;

import static io.github.delayqueue.benchmark.report.TestRuns.result;
import static org.assertj.core.api.Assertions.assertThat;

class TargetsTests {

	private static final String DRAIN = "Drain, against the better unsafe loop";

	private static final String LATENESS = "Lateness at 50 a second, p99";

	private static final String WRONG = "Missing, doubled, early or unsettled in any run";

	private static final String JOURNAL = "Drain with a journal, against db-scheduler";

	private static final String KILLED = "Lost or early when the consumer is killed";

	@Test
	void ratioIsMetFromItsBoundOn() {
		assertThat(check(DRAIN, drain(40), result("drain", "loop", "rate", 100)).verdict()).isEqualTo("met");
		assertThat(check(DRAIN, drain(39), result("drain", "loop", "rate", 100)).verdict()).isEqualTo("missed");
	}

	@Test
	void boundIsTheBatchSizeThatIsFaster() {
		assertThat(
				check(DRAIN, drain(100), result("drain", "loop", "rate", 100), result("drain", "loop-500", "rate", 400))
					.measured())
			.isEqualTo("0.25");
		assertThat(
				check(DRAIN, drain(100), result("drain", "loop", "rate", 200), result("drain", "loop-500", "rate", 100))
					.measured())
			.isEqualTo("0.50");
	}

	@Test
	void ratioIsThatOfEachProcessWithItsSpread() {
		assertThat(check(DRAIN, result("drain", "ours", "rate", 50, 90, 80),
				result("drain", "loop", "rate", 100, 100, 200))
			.measured()).isEqualTo("0.50 (0.40–0.90)");
	}

	@Test
	void ratioIsNotMeasuredWhereOneOfTheTwoIsNot() {
		assertThat(check(DRAIN, drain(50)).verdict()).isEqualTo("not measured");
	}

	@Test
	void latenessIsThatBeyondATimersInMemory() {
		Result timer = result("open-50", "jvm-timer", "p99", 2);
		assertThat(check(LATENESS, timer, result("open-50", "ours", "p99", 7)).verdict()).isEqualTo("met");
		assertThat(check(LATENESS, timer, result("open-50", "ours", "p99", 7.01)).verdict()).isEqualTo("missed");
		assertThat(check(LATENESS, result("open-50", "ours", "p99", 7)).verdict()).isEqualTo("not measured");
	}

	@Test
	void slownessIsNotFatal() {
		assertThat(check(DRAIN, drain(1), result("drain", "loop", "rate", 100)).fatal()).isFalse();
	}

	@Test
	void whateverIsMissingDoubledOrEarlyIsFatal() {
		for (Counts counts : new Counts[] { new Counts(1, 0, 0), new Counts(0, 1, 0), new Counts(0, 0, 1),
				new Counts(0, 0, 0, 1) }) {
			Check check = check(WRONG, TestRuns.wrong("drain", "ours", counts));
			assertThat(check.verdict()).isEqualTo("missed");
			assertThat(check.fatal()).isTrue();
		}
		assertThat(check(WRONG, drain(1)).verdict()).isEqualTo("met");
	}

	@Test
	void whatOthersLoseIsNoneOfOurErrors() {
		assertThat(check(WRONG, drain(1), TestRuns.wrong("drain", "loop", new Counts(1, 1, 1))).verdict())
			.isEqualTo("met");
	}

	@Test
	void whatIsLostInAKillIsFatal() {
		Check check = check(KILLED, TestRuns.wrong("kill", "ours", new Counts(1, 0, 0)));
		assertThat(check.verdict()).isEqualTo("missed");
		assertThat(check.fatal()).isTrue();
	}

	@Test
	void journalIsComparedWithDbScheduler() {
		Result peer = result("drain", "db-scheduler", "rate", 1000);
		assertThat(check(JOURNAL, result("drain", "journal", "rate", 3000), peer).verdict()).isEqualTo("met");
		assertThat(check(JOURNAL, result("drain", "journal", "rate", 2900), peer).verdict()).isEqualTo("missed");
		assertThat(check(JOURNAL, peer).verdict()).isEqualTo("not measured");
	}

	@Test
	void taskInRedisThatIsAMonthAwayIsTooMany() {
		String name = "In Redis of tasks a month away";
		assertThat(check(name, result("journal-stored", "journal", "inRedis", 0)).verdict()).isEqualTo("met");
		assertThat(check(name, result("journal-stored", "journal", "inRedis", 1)).verdict()).isEqualTo("missed");
	}

	@Test
	void whatIsMissingWithAJournalIsFatalToo() {
		Check check = check(WRONG, TestRuns.wrong("drain", "journal", new Counts(1, 0, 0)));
		assertThat(check.verdict()).isEqualTo("missed");
		assertThat(check.fatal()).isTrue();
	}

	@Test
	void measureThatFailedIsFatal() {
		Result failed = new Result("drain", "ours", List.of(), "failed: no connection");
		assertThat(new Report(TestRuns.of(failed)).hasErrors()).isTrue();
		assertThat(new Report(TestRuns.of(drain(1))).hasErrors()).isFalse();
	}

	private static Result drain(double rate) {
		return result("drain", "ours", "rate", rate);
	}

	private static Check check(String name, Result... results) {
		return Targets.check(TestRuns.of(results))
			.stream()
			.filter((check) -> check.name().equals(name))
			.findFirst()
			.orElseThrow();
	}

}
