package io.github.delayqueue.benchmark.report;

import org.junit.jupiter.api.Test;

import static io.github.delayqueue.benchmark.report.TestRuns.result;
import static org.assertj.core.api.Assertions.assertThat;

class StoredTests {

	@Test
	void figuresHaveALineEach() {
		assertThat(table("find", 1.234)).endsWith("| `find`, median, ms | 1.23 |");
		assertThat(table("load", 23_456)).endsWith("given to Redis, tasks/s | 23,500 |");
		assertThat(table("tasks", 5_000_000)).endsWith("| tasks a month away | 5,000,000 |");
	}

	@Test
	void whatWasNotMeasuredHasNone() {
		assertThat(table("find", 1)).doesNotContain("stats", "tasks/s");
	}

	@Test
	void largeRunHasATableOfItsOwn() {
		assertThat(Stored.tables(TestRuns.of(result("journal-stored", "journal", "find", 1),
				result("journal-stored-large", "journal", "find", 2))))
			.contains("| `find`, median, ms | 1.00 |", "-Dlarge=true", "| `find`, median, ms | 2.00 |");
		assertThat(Stored.tables(TestRuns.of(result("journal-stored", "journal", "find", 1)))).doesNotContain("large");
	}

	private static String table(String figure, double value) {
		return Stored.tables(TestRuns.of(result("journal-stored", "journal", figure, value)));
	}

}
