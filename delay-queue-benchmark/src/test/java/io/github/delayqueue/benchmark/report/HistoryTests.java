package io.github.delayqueue.benchmark.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static io.github.delayqueue.benchmark.report.TestRuns.result;
import static org.assertj.core.api.Assertions.assertThat;

class HistoryTests {

	private final Run first = TestRuns.of(result("drain", "ours", "rate", 30, 10, 20),
			result("drain", "loop", "rate", 50), result("memory", "ours", "bytes", 369));

	@TempDir
	private Path folder;

	@Test
	void hasALineForEachRunAndMeasureAndNoneTwice() throws IOException {
		history().add(this.first);
		history().add(this.first);
		assertThat(Files.readAllLines(file())).hasSize(2);
		assertThat(Files.readAllLines(file()).get(0)).contains("2026-11-21T12:00:00Z", "\"drain\"",
				"\"ours\":{\"rate\":[10.0,20.0,30.0]}", "\"loop\":{\"rate\":[50.0,50.0,50.0]}");
	}

	@Test
	void saysWhichRatesAreNotWithinTheSpreadOfTheRunBefore() {
		history().add(this.first);
		assertThat(history().outside(next(25))).isEmpty();
		assertThat(history().outside(next(31))).containsExactly("drain: 31 is not within 10 to 30");
		assertThat(history().outside(next(9))).hasSize(1);
		assertThat(history().outside(this.first)).isEmpty();
	}

	private Run next(double rate) {
		Run run = TestRuns.of(result("drain", "ours", "rate", rate));
		return new Run(this.first.started().plus(Duration.ofHours(1)), 1, Map.of(), run.systems(), run.results());
	}

	private History history() {
		return new History(file());
	}

	private Path file() {
		return this.folder.resolve("history.jsonl");
	}

}
